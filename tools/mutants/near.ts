import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { root } from '#kit/server/settings.ts'

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*['"]([.#][^'"]+)['"]/g
/** Starts the whole server: what is imported through it says nothing about what a test is for. */
const everything = 'src/features.ts'
const world = 'tests/world.ts'

/** `src/features/<wing>/<feature>` of a path, or nothing. */
const featureOf = (file: string): string | undefined => /^src\/features\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0]
const stemOf = (file: string): string => posix.basename(file).replace(/(?:\.test)?\.tsx?$/, '')

const isLong = (test: string): boolean => test.endsWith('.long.test.ts')

export interface Rings {
  /** What is most likely to see it, nearest first. */
  near: string[]
  /** Asked only when the near ones saw nothing. */
  wide: string[]
  /** Threads for untrusted files run it as well. */
  viaReaders: boolean
}

/** Finds the tests of a source by who imports whom. */
export class Nearness {
  private readonly text = new Map<string, string>()
  private readonly imports = new Map<string, string[]>()
  private readonly importers = new Map<string, string[]>()
  private readonly tests: string[]
  private readonly read = new Set<string>()

  constructor(tests: readonly string[]) {
    const below = (folder: string) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        `${folder}/${file}`.replaceAll(sep, '/'),
      )
    for (const file of ['src', 'tests', 'tools'].flatMap(below)) {
      if (!/\.tsx?$/.test(file)) continue
      const text = readFileSync(join(root, file), 'utf8')
      this.text.set(file, text)
      const to = [...text.matchAll(importPattern)].map(([, target]) =>
        target!.startsWith('#') ? `src/${target!.slice(1)}` : posix.join(dirname(file), target!),
      )
      this.imports.set(file, to)
      for (const one of to) this.importers.set(one, [...(this.importers.get(one) ?? []), file])
    }
    this.tests = tests.toSorted()
    this.follow('src/readers.ts', (file) => this.read.add(file))
  }

  /** Everything a file imports, at whatever distance, except what the whole server brings. */
  private follow(from: string, seen: (file: string, distance: number) => void, most = 99): void {
    const known = new Set([from])
    let edge = [from]
    for (let distance = 1; edge.length && distance <= most; distance++) {
      const next: string[] = []
      for (const file of edge)
        for (const to of this.imports.get(file) ?? []) {
          if (known.has(to) || to === everything) continue
          known.add(to)
          seen(to, distance)
          if (to !== world) next.push(to)
        }
      edge = next
    }
  }

  ringsOf(file: string, { near = 8, wide = 12 } = {}): Rings {
    const feature = featureOf(file)
    const own = this.imports.get.bind(this.imports)
    const direct = this.importers.get(file) ?? []
    const users = this.usersOf(file)
    const words = this.wordsOf(file)
    const ranked = this.tests.flatMap((test) => {
      const imported = own(test) ?? []
      const text = this.text.get(test) ?? ''
      const isWhole = imported.some((one) => one === world || one.startsWith('tests/'))
      let rank: number | undefined
      if (dirname(test) === dirname(file) && stemOf(test) === stemOf(file)) rank = 0
      else if (imported.includes(file)) rank = 1
      else if (dirname(test) === dirname(file)) rank = 2
      else if (feature && featureOf(test) === feature) rank = 2
      else if (!isWhole && this.reaches(test, file, 3)) rank = 3
      else if (feature && imported.some((one) => featureOf(one) === feature)) rank = 4
      else if (users.has(featureOf(test) ?? '')) rank = 4 + users.get(featureOf(test)!)!
      else if (feature && this.addressesOf(feature).some((address) => text.includes(address))) rank = 5
      else if (!isWhole && this.reaches(test, file, 6)) rank = 6
      else if (/^tests\/(?:books|lives)\//.test(test)) rank = 7
      else if (/^tests\/(?:walk|api|roles|events)\.test\.ts$/.test(test)) rank = 8
      if (rank === undefined) return []
      const fits = words.filter((word) => text.includes(word)).length + (direct.includes(test) ? 5 : 0)
      return [{ test, rank, fits }]
    })
    ranked.sort((a, b) => a.rank - b.rank || b.fits - a.fits || (a.test < b.test ? -1 : 1))
    // Long tests take minutes: they run after the short ones, within the time of the wider ring.
    const nearest = ranked.filter(({ test, rank }) => rank < 4 && !isLong(test)).slice(0, near)
    // A feature without tests is tested by those who use it.
    for (const one of ranked)
      if (nearest.length < Math.min(3, near) && !nearest.includes(one) && !isLong(one.test)) nearest.push(one)
    const rest = ranked.filter((one) => !nearest.includes(one))
    const last = rest.filter(({ rank }) => rank >= 7).slice(0, 3)
    return {
      near: nearest.map(({ test }) => test),
      wide: [...rest.filter(({ rank }) => rank < 7).slice(0, wide - last.length), ...last].map(
        ({ test }) => test,
      ),
      viaReaders: this.read.has(file),
    }
  }

  private reaches(test: string, file: string, most: number): boolean {
    let found = false
    this.follow(test, (one) => (found ||= one === file), most)
    return found
  }

  /** Features whose files use this one: directly (0), or by the door of its own feature (1). */
  private usersOf(file: string): Map<string, number> {
    const found = new Map<string, number>()
    const feature = featureOf(file)
    const note = (importer: string, rank: number) => {
      const of = featureOf(importer)
      if (of && of !== feature && !found.has(of)) found.set(of, rank)
    }
    const direct = this.importers.get(file) ?? []
    for (const one of direct) note(one, 0)
    if (feature) for (const one of this.importers.get(`${feature}/server/index.ts`) ?? []) note(one, 1)
    else for (const one of direct.flatMap((by) => this.importers.get(by) ?? [])) note(one, 1)
    return found
  }

  /** The addresses of a feature's calls, as tests spell them. */
  private addressesOf(feature: string): string[] {
    return [...this.text.keys()]
      .filter((file) => featureOf(file) === feature && posix.dirname(file) === feature)
      .flatMap((file) => [...this.text.get(file)!.matchAll(/['`](\/api\d?\/[\w/]{8,}?)[{'`$]/g)])
      .map(([, address]) => address!)
  }

  /** What a test of this file would name: the file itself and what it exports. */
  private wordsOf(file: string): string[] {
    const exported = [
      ...(this.text.get(file) ?? '').matchAll(/export (?:async )?(?:const|function) (\w{4,})/g),
    ]
    return [...new Set([stemOf(file), ...exported.map(([, name]) => name!)])]
  }
}
