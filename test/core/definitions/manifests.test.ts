import { expect, test } from 'vitest';
import { isManifest, manifestsIn } from '../../../src/core/definitions/manifests.ts';

const reader = (name: string, list: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    app: shop
  name: ${name}
spec:
  replicas: 1
  template:
    spec:
      containers:
        - name: till
          image: shop:1.4
          env:
            - name: LIST
              value: "${list}"
            - name: KEY
              valueFrom: {}
`;
const door =
  'apiVersion: v1\nkind: Ingress\nmetadata:\n  name: door\nspec:\n  rules:\n    - host: a.shop.io\n';

test('what a file describes for a cluster is told by kind and name, with what tells it from others', () => {
  const text = [reader('one', 'tea'), reader('two', 'pots'), door].join('---\n');
  expect(manifestsIn(text).map((one) => [one.name, one.text])).toEqual([
    ['Deployment/one', 'Deployment one (LIST=tea, image shop:1.4)'],
    ['Deployment/two', 'Deployment two (LIST=pots, image shop:1.4)'],
    ['Ingress/door', 'Ingress door (host a.shop.io)'],
  ]);
  expect(
    manifestsIn('kind: CronJob\nmetadata:\n  name: night\nspec:\n  schedule: "0 3 * * *"'),
  ).toMatchObject([{ text: 'CronJob night (schedule 0 3 * * *)' }]);
  expect(manifestsIn('kind: List\nitems: []\n---\nname: a')).toEqual([]);
});

test('other settings describe nothing for a cluster', () => {
  expect(isManifest(door)).toBe(true);
  expect(isManifest('kind: tea\nport: 80')).toBe(false);
  expect(isManifest('apiVersion: 2\nport: 80')).toBe(false);
});
