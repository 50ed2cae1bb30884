// What OpenCode loads, by a path in `plugin` of its configuration.
import { flamestackPlugin } from 'flamestack/opencode';

export default { id: 'flamestack', server: flamestackPlugin() };
