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

const dayOfLondon = /(?:new Date|now)\(\)\.toISOString\(\)\.slice\(0, 10\)/

/** Every import that goes through a wall or the wrong way about, every circle of features, and every today that is not a day of Jerusalem. */
export function brokenWalls(source = join(root, 'src')): string[] {
  const problems: string[] = []
  const uses = new Map<string, Set<string>>()
  const imports = new Map<string, Set<string>>()
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((f) => /\.(ts|tsx)$/.test(f) && !/\.test\.tsx?$/.test(f))
  for (const file of files) {
    const path = file.replaceAll('\\', '/')
    const from = placeOf(path)
    const asks = new Set<string>()
    imports.set(path, asks)
    const text = readFileSync(join(source, file), 'utf8')
    if (dayOfLondon.test(text)) problems.push(`${path} takes the day of London for today: between midnight and morning it is yesterday (dayInJerusalem)`)
    for (const match of text.matchAll(importPattern)) {
      const target = match[1] ?? match[2] ?? match[3]!
      const toPath = target.startsWith('#')
        ? target.slice(1)
        : relative(source, resolve(dirname(join(source, file)), target)).replaceAll('\\', '/')
      if (toPath.startsWith('..')) {
        if (!(from.room === 'kitServer' && toPath === '../db/tables.ts')) problems.push(`${path} reaches out of src: ${target}`)
        continue
      }
      if (/\.(json|css|typ)$/.test(toPath)) continue
      // What is fetched when it is needed makes no circle.
      if (match[2] === undefined) asks.add(toPath)
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
  return [...problems, ...circles(uses), ...filesInCircles(imports)]
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

/** Files that import each other, for their types too: one of them holds what both stand on, and that wants a file of its own (Tarjan's components). */
function filesInCircles(imports: Map<string, Set<string>>): string[] {
  const found: string[] = []
  const number = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (path: string): number => {
    const mine = number.size
    number.set(path, mine)
    lowest.set(path, mine)
    stack.push(path)
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue
      if (!number.has(next)) lowest.set(path, Math.min(lowest.get(path)!, visit(next)))
      else if (stack.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, number.get(next)!))
    }
    if (lowest.get(path) === mine) {
      const circle = stack.splice(stack.indexOf(path))
      if (circle.length > 1) found.push(`files import each other: ${circle.sort().join(', ')}`)
    }
    return lowest.get(path)!
  }
  for (const path of imports.keys()) if (!number.has(path)) visit(path)
  return found
}

if (process.argv[1]?.endsWith('walls.ts')) {
  const problems = brokenWalls()
  for (const p of problems) console.error(p)
  process.exit(problems.length ? 1 : 0)
}
