import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { importsOf } from '../walls.ts'

/** So many commits are looked back, unless a release is nearer. */
const maxCommits = 30

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    }).trim()
  } catch {
    // A download without its history: nothing is known to have changed.
    return ''
  }
}

/** How many commits the main line has; a branch that was merged counts as its merge alone. */
export const commitCount = (): number => Number(git('rev-list', '--count', '--first-parent', 'HEAD')) || 0

/** Commits that changed no behaviour, as `git blame` ignores them. */
function mechanical(): Set<string> {
  const file = join(root, '.git-blame-ignore-revs')
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').match(/^[0-9a-f]{40}$/gm) : [])
}

/** Changed lines of each file since the last release, or in the last thirty commits when that is fewer. */
function changedLines(): Map<string, number> {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*')
  const hashes = git('rev-list', `--max-count=${maxCommits}`, 'HEAD', ...(tag ? [`^${tag}`] : [])).split('\n')
  const ignored = mechanical()
  const lines = new Map<string, number>()
  for (const hash of hashes.filter((one) => one && !ignored.has(one)))
    for (const line of git(
      'show',
      '--numstat',
      '--no-renames',
      '--format=',
      '-m',
      '--first-parent',
      hash,
    ).split('\n')) {
      const [added, removed, path] = line.split('\t')
      if (path) lines.set(path, (lines.get(path) ?? 0) + (Number(added) || 0) + (Number(removed) || 0))
    }
  return lines
}

const featureOf = (path: string): string | undefined => /^features\/([^/]+\/[^/]+)\//.exec(path)?.[1]

/**
 * Features (`wing/feature`) that changed, those with the most changed lines first. A changed file outside of a feature
 * counts for each feature that imports it, directly or through others, by an equal share: a line in the heart of the kit
 * weighs little for each.
 */
export function changedFeatures(): string[] {
  const importers = new Map<string, string[]>()
  for (const [file, targets] of importsOf())
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  const weights = new Map<string, number>()
  const add = (feature: string, weight: number) => weights.set(feature, (weights.get(feature) ?? 0) + weight)
  for (const [path, lines] of changedLines()) {
    if (!path.startsWith('src/')) continue
    const file = path.slice('src/'.length)
    const own = featureOf(file)
    if (own) {
      add(own, lines)
      continue
    }
    const reached = new Set([file])
    for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer)
    const features = new Set([...reached].flatMap((one) => featureOf(one) ?? []))
    for (const feature of features) add(feature, lines / features.size)
  }
  return [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([feature]) => feature)
}
