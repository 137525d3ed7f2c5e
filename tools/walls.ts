import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { wings } from '#kit/describe/wings.ts'
import { root } from '#kit/server/settings.ts'

/** Where a file stands in the house. */
interface Place {
  /** 'domain', 'describe', 'fields', 'kitServer', 'kitWeb', 'featureTop', 'featureServer', 'featureWeb', 'entry' */
  room: string
  wing?: string
  feature?: string
  /** The file's path below its room. */
  inside: string
}

/** What is one room to those who import: the domain, a part of the kit, a feature with both its halves. */
const roomOf = ({ room, feature }: Place): string => feature ?? room

const height = (wing: string): number => wings.findIndex((w) => w === wing)

function placeOf(path: string): Place {
  const parts = path.split('/')
  if (parts[0] === 'domain') return { room: 'domain', inside: parts.slice(1).join('/') }
  if (parts[0] === 'kit') {
    const room = { describe: 'describe', fields: 'fields', server: 'kitServer', web: 'kitWeb' }[parts[1] ?? '']
    if (room) return { room, inside: parts.slice(2).join('/') }
  }
  if (parts[0] === 'features' && parts.length > 3) {
    const [, wing = '', feature = '', half] = parts
    if (half === 'server') return { room: 'featureServer', wing, feature, inside: parts.slice(4).join('/') }
    if (half === 'web') return { room: 'featureWeb', wing, feature, inside: parts.slice(4).join('/') }
    return { room: 'featureTop', wing, feature, inside: parts.slice(3).join('/') }
  }
  return { room: 'entry', inside: path }
}

/** Rooms that a room may use; a feature's own halves and other features' doors are looked at apart. */
const allowed: Record<string, string[]> = {
  domain: ['domain'],
  describe: ['describe', 'fields', 'domain'],
  fields: ['fields', 'domain'],
  kitServer: ['kitServer', 'describe', 'fields', 'domain'],
  kitWeb: ['kitWeb', 'describe', 'fields', 'domain'],
  featureTop: ['domain', 'describe', 'fields', 'featureTop'],
  featureServer: ['domain', 'describe', 'fields', 'kitServer', 'featureTop', 'featureServer'],
  featureWeb: ['domain', 'describe', 'fields', 'kitWeb', 'featureTop', 'featureWeb'],
  entry: ['domain', 'describe', 'fields', 'kitServer', 'kitWeb', 'featureTop', 'featureServer', 'featureWeb', 'entry'],
}

/** `readers.ts` is what threads run; its own features' readers use each other's without the server behind `index.ts`. */
const doors: Record<string, string[]> = { featureServer: ['index.ts', 'readers.ts'], featureWeb: ['index.tsx', 'index.ts'] }

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([.#][^'"]+)['"]|import\(\s*['"]([.#][^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([.#][^'"]+)['"]/g

/** Every import that goes through a wall or the wrong way about, and every circle of features. */
export function brokenWalls(source = join(root, 'src')): string[] {
  const problems: string[] = []
  const uses = new Map<string, Set<string>>()
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((f) => /\.(ts|tsx)$/.test(f) && !/\.test\.tsx?$/.test(f))
  for (const file of files) {
    const path = file.replaceAll('\\', '/')
    const from = placeOf(path)
    for (const match of readFileSync(join(source, file), 'utf8').matchAll(importPattern)) {
      const target = match[1] ?? match[2] ?? match[3]!
      const toPath = target.startsWith('#')
        ? target.slice(1)
        : relative(source, resolve(dirname(join(source, file)), target)).replaceAll('\\', '/')
      if (toPath.startsWith('..')) {
        if (!(from.room === 'kitServer' && toPath === '../db/tables.ts')) problems.push(`${path} reaches out of src: ${target}`)
        continue
      }
      if (/\.(json|css|typ)$/.test(toPath)) continue
      const to = placeOf(toPath)
      if ((roomOf(from) === roomOf(to)) === target.startsWith('#') && from.room !== 'entry' && to.room !== 'entry')
        problems.push(`${path} uses ${toPath} as ${target}: inside a room by relative paths, from one to another by #`)
      const other = to.feature !== undefined && to.feature !== from.feature
      if (!allowed[from.room]!.includes(to.room)) problems.push(`${path} (${from.room}) may not use ${toPath} (${to.room})`)
      else if (other && from.feature !== undefined && doors[to.room] && !doors[to.room]!.includes(to.inside))
        problems.push(`${path} uses ${toPath} past the door of ${to.feature}`)
      if (from.wing && to.wing && height(to.wing) > height(from.wing))
        problems.push(`${path} (wing ${from.wing}) may not use ${toPath}: the wing ${to.wing} stands above it`)
      if (other && from.feature !== undefined)
        (uses.get(from.feature) ?? uses.set(from.feature, new Set()).get(from.feature)!).add(to.feature!)
    }
  }
  return [...problems, ...circles(uses)]
}

function circles(uses: Map<string, Set<string>>): string[] {
  const found = new Set<string>()
  const walk = (feature: string, path: string[]) => {
    const at = path.indexOf(feature)
    if (at >= 0) {
      const circle = path.slice(at)
      const first = circle.indexOf([...circle].sort()[0]!)
      found.add([...circle.slice(first), ...circle.slice(0, first)].join(' -> '))
      return
    }
    for (const next of uses.get(feature) ?? []) walk(next, [...path, feature])
  }
  for (const feature of uses.keys()) walk(feature, [])
  return [...found].map((c) => `features go in a circle: ${c}`)
}

if (process.argv[1]?.endsWith('walls.ts')) {
  const problems = brokenWalls()
  for (const p of problems) console.error(p)
  process.exit(problems.length ? 1 : 0)
}
