import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missing } from '../tests/needs.ts'
import { root } from '#kit/server/settings.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const settings = new Set([...read('docs/settings.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name!))

test('the image copies what is there and runs on a Node that the product takes', () => {
  const dockerfile = read('Dockerfile')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
    from!.split(' '),
  )
  expect(copied.length).toBeGreaterThan(2)
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  const least = Number(/\d+/.exec(engines.node)![0])
  for (const [, major] of dockerfile.matchAll(/^FROM node:(\d+)/gm))
    expect(Number(major)).toBeGreaterThanOrEqual(least)
})

test('what the image, the compose file and the unit set are settings of the product', () => {
  const set = [
    ...[...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
      line!.split(' ').map((pair) => pair.split('=')[0]!),
    ),
    ...[...read('compose.yaml').matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name!),
    ...[...read('deploy/pinkas.service').matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!),
  ].filter((name) => name !== 'NODE_ENV')
  expect(set.length).toBeGreaterThan(5)
  expect(set.filter((name) => !settings.has(name))).toEqual([])
  expect(set).not.toContain('PINKAS_DEV')
})

test('systemd finds nothing wrong with the unit', ({ skip }) => {
  const reason = missing('systemd-analyze')
  skip(reason !== undefined, reason)
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', join(root, 'deploy/pinkas.service')], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
