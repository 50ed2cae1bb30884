// What `pi install npm:flamestack` loads.
import { flamestackExtension } from 'flamestack/pi';

export default flamestackExtension();
