import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { wordFolders, wordsOf } from '#kit/server/words.ts'
import { firstGroup } from '#kit/web/words/wordGroups.ts'

/*
 * Which words a part of the application can use, and in which groups they are loaded. A group is the words of one
 * text file, except for those that go across all features; a part is what an `import()` loads: its file and
 * everything that file imports. Nobody declares a part's groups: they follow from the keys in its files. Where a key
 * consists only of variables, a comment of the file says `Brings the words of: fields, reports`.
 */

/**
 * Words of all features that are wanted together. They stand in their feature's group, too, unless only
 * together they are of use.
 */
const across: readonly { group: string; keys: RegExp; alone?: true | 'unless spelled' }[] = [
  // Whatever a call may be refused with.
  { group: 'errors', keys: /^errors\./, alone: 'unless spelled' },
  { group: 'audit', keys: /^companies\.audit\./, alone: true },
  { group: 'kinds', keys: /^ledger\.kinds\./, alone: true },
  { group: 'settings', keys: /^companies\.hub\./, alone: true },
  // Screens that no menu names: a card, a form, what a letter leads to. Their names come with them, for the
  // window's title.
  { group: 'names', keys: /^screens\./, alone: true },
  // The name of an area, and what it is for, where it is switched.
  { group: 'areaNames', keys: /^areas\.\w+$/, alone: true },
  { group: 'areas', keys: /^areas\.\w+\.text$/, alone: true },
  { group: 'reports', keys: /^\w+\.reports\.\w+\.(title|text)$/ },
  // With what settings are found by, as the lists of screens say it.
  { group: 'fields', keys: /^\w+\.(title|fields\.\w+)$/ },
]

const first = firstGroup
/**
 * What the frame, any form and any refusal asks for; boards, reports and lists in an order of one’s own bring
 * their words themselves.
 */
const everywhere =
  /^(kit\.(?!(?:away|board|offers|ordered|reports|report|shut)\.)|(menu|screens|errors\.(kit|fields))\.)/
const firstParts = [
  'src/web.tsx',
  'src/webFeatures.tsx',
  'src/kit/web/shell/Shell.tsx',
  '/entrance/web/LogIn.tsx',
  '/entrance/web/SignUp.tsx',
  '/home/web/Home.tsx',
]

interface Module {
  text: string
  /** Its imports, as paths from the root. */
  on: string[]
  /** What it brings later, and where that is written. */
  later: { path: string; at: number; end: number }[]
}

const asksForRefusals = /`errors\.\$\{/

/** Comments may show an import; what is left keeps its place. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))

/** By which words a setting is found: the palette and the hub of settings bring those themselves. */
const withoutFinds = (text: string): string =>
  text.replace(/\bfinds: \[[^\]]*\](\.map\(\s*\(\w+\) => `[^`]*`,?\s*\))?|const fieldWord = .*/g, '')

const standsOn =
  /(?:^|\n)\s*(?:import|export)\s(?!type\b)[^'"`;]*?from\s+'([.#][^']+)'|(?:^|\n)\s*import\s+'([.#][^']+)'/g
const bringsLater = /(?<!typeof )\bimport\(\s*'([.#][^']+)'\s*\)/g

const names =
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports?: Record<string, string> })
    .imports ?? {}

/** The file an import leads to, as a path from the root; undefined where it is no code of ours. */
function target(from: string, asked: string): string | undefined {
  const named = Object.entries(names).find(([name]) => asked.startsWith(name.replace(/\*$/, '')))
  const path = asked.startsWith('.')
    ? relative(root, resolve(root, dirname(from), asked))
    : named && join('.', named[1].replace('*', asked.slice(named[0].replace(/\*$/, '').length)))
  return path && /\.tsx?$/.test(path) && existsSync(join(root, path)) ? path.replaceAll('\\', '/') : undefined
}

function read(path: string): Module {
  const text = withoutComments(readFileSync(join(root, path), 'utf8'))
  const found = (asked: string | undefined): string[] =>
    asked ? [target(path, asked)].filter((one) => one !== undefined) : []
  return {
    text,
    on: [...text.matchAll(standsOn)].flatMap((m) => found(m[1] ?? m[2])),
    later: [...text.matchAll(bringsLater)].flatMap((m) =>
      found(m[1]).map((to) => ({ path: to, at: m.index, end: m.index + m[0].length })),
    ),
  }
}

/** What a text asks for: whole keys, and the shapes of those it puts together. */
interface Asked {
  spelled: string[]
  made: RegExp[]
}

/** Whether a text shows described things, whose keys begin with a name it does not spell. */
const showsDescribed = (text: string): boolean =>
  /`\$\{[\w.!]*\b(name|resource|entity)\}\.(fields|hints|sections|columns|one|new|search|title|empty|merge|doubles)\b/.test(
    text,
  )
const describes = (text: string): boolean => text.includes('defineResource(')

function asksFor(text: string): Asked {
  const spelled = [...text.matchAll(/['"]([a-z]\w*(?:\.\w+)*\.?)['"]/gi)]
    .map((m) => m[1]!)
    .filter((one) => one.includes('.'))
  const made = [...text.matchAll(/`([a-z]\w*\.(?:[^`$]|\$\{[^`]*?\})*)`/gi)]
    .map((m) => m[1]!)
    .filter((template) => template.includes('${') && /^[\w.${}()[\]?:'" =!&|+,<>-]+$/.test(template))
    .map((template) =>
      template
        .split(/\$\{.*?\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('[\\w.]+'),
    )
  // A code of refusal is looked up when the call has been refused, and then its words are fetched; a screen's
  // name is there, or comes with it.
  return {
    spelled,
    made: made
      .filter((shape) => !/^(errors|screens)\\\.\[/.test(shape))
      .map((shape) => new RegExp(`^${shape}$`)),
  }
}

/**
 * A list of screens, cut where each says its name: what it loads, and whether it is in a menu or in the hub of
 * settings.
 */
function screensIn(text: string): { name: string; at: number; end: number; inMenu: boolean }[] {
  const starts = [...text.matchAll(/\bname: '(\w+)'/g)]
  return starts.map((m, i) => {
    const end = starts[i + 1]?.index ?? text.length
    return { name: m[1]!, at: m.index, end, inMenu: /\b(menu|settings): /.test(text.slice(m.index, end)) }
  })
}

export interface WordGroups {
  /** Keys by group: what a browser gets. */
  groups: Map<string, string[]>
  /** First parts of keys, such as the names of resources, and the groups they are in. */
  families: Map<string, string[]>
  /** The groups of each `import()` of a file, in the order they stand there. */
  ofImports: (path: string) => { path: string; end: number; at: number; groups: string[] }[]
  /** Every key a part can ask for, as far as it is spelled. */
  keysOf: (path: string) => Set<string>
  /** The direct imports of a file. */
  onOf: (path: string) => readonly string[]
  /** Every file that a browser may get. */
  parts: readonly string[]
  /** A file and all its imports. */
  closureOf: (path: string) => Set<string>
}

/** Reads the code and the words as they are now. */
export function readWordGroups(): WordGroups {
  const known = new Map<string, Module>()
  const moduleAt = (path: string): Module => known.get(path) ?? known.set(path, read(path)).get(path)!
  const listsOfScreens = wordFolders()
    .map((folder) => relative(root, join(dirname(folder), 'web/screens.ts')))
    .concat(
      readdirSync(join(root, 'src/features'), { recursive: true, encoding: 'utf8' })
        .filter((path) => /(^|[\\/])web[\\/]screens\.ts$/.test(path))
        .map((path) => join('src/features', path)),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path, i, all) => existsSync(join(root, path)) && all.indexOf(path) === i)
  const closures = new Map<string, Set<string>>()
  /** A file and all its imports. The list of features is read by a pattern, which no import shows. */
  const closure = (path: string): Set<string> => {
    const done = closures.get(path)
    if (done) return done
    const seen = new Set<string>()
    const walk = (one: string) => {
      if (seen.has(one)) return
      seen.add(one)
      moduleAt(one).on.forEach(walk)
      if (one === 'src/webFeatures.tsx') listsOfScreens.forEach(walk)
    }
    walk(path)
    closures.set(path, seen)
    return seen
  }
  const everything = new Set<string>()
  const walkAll = (path: string) => {
    for (const one of closure(path)) {
      if (everything.has(one)) continue
      everything.add(one)
      for (const { path: later } of moduleAt(one).later) walkAll(later)
    }
  }
  walkAll('src/web.tsx')

  // ---- keys

  const home = new Map<string, string>()
  for (const folder of wordFolders())
    for (const file of readdirSync(folder)) {
      const part = /^(?:(\w+)\.)?he\.json$/.exec(file)
      if (!part) continue
      const group = basename(dirname(folder)) === 'web' ? 'kit' : basename(dirname(folder))
      for (const key of Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8')) as object))
        home.set(key, part[1] ? `${group}.${part[1]}` : group)
    }
  const keys = Object.keys(wordsOf('he')).toSorted()
  const byBeginning = new Map<string, string[]>()
  for (const key of keys)
    for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
      const start = key.slice(0, dot)
      byBeginning.set(start, [...(byBeginning.get(start) ?? []), key])
    }
  const under = (start: string): readonly string[] => byBeginning.get(start) ?? []
  const isKey = new Set(keys)
  // Rights and calls have names like keys.
  const noWords = new Set(
    [...everything].flatMap((path) => {
      const { text } = moduleAt(path)
      return [
        ...[...text.matchAll(/\bdefineRules\(\{([^}]*)\}/g)].flatMap((m) =>
          [...m[1]!.matchAll(/'([\w.]+)'/g)].map((one) => one[1]!),
        ),
        ...[...text.matchAll(/\bname: '(\w+\.\w+)'/g)].map((m) => m[1]!),
      ]
    }),
  )
  const asked = new Map<string, Set<string>>()
  const askedIn = (path: string): Set<string> => {
    const done = asked.get(path)
    if (done) return done
    const text = withoutFinds(moduleAt(path).text)
    const { spelled, made } = asksFor(text)
    const found = new Set<string>()
    // A beginning stands for what is under it: the choices of a field, the words of a described thing.
    for (const one of spelled) {
      if (isKey.has(one)) found.add(one)
      if (!noWords.has(one) || text.includes(`words: '${one}'`))
        for (const key of under(one.replace(/\.$/, ''))) found.add(key)
    }
    for (const [, name] of text.matchAll(/\bdefineResource\(\{\s*name: '(\w+)'/g))
      for (const key of under(name!)) found.add(key)
    // What is handed the first part of its keys: `words: 'donations'`.
    for (const [, name] of text.matchAll(/\bwords[:=] ?\{?['"](\w+)['"]/g))
      for (const key of under(name!)) found.add(key)
    if (made.length) for (const key of keys) if (made.some((shape) => shape.test(key))) found.add(key)
    asked.set(path, found)
    return found
  }
  const union = (paths: Iterable<string>): Set<string> => {
    const those = [...paths]
    const described = those.some((path) => path.includes('/web/') && showsDescribed(moduleAt(path).text))
    const all = new Set<string>()
    for (const path of those)
      if (described || !describes(moduleAt(path).text)) for (const key of askedIn(path)) all.add(key)
    return all
  }

  // ---- groups

  const inBrowser = union(everything)
  const atServer = new Set<string>()
  for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map(
    (one) => `src/${one.replaceAll('\\', '/')}`,
  ))
    if (/\/server\/.*\.ts$/.test(path) && !path.endsWith('.test.ts')) {
      for (const key of askedIn(path)) atServer.add(key)
      // The words of a column's choices: a report names them to the browser.
      for (const [, start] of moduleAt(path).text.matchAll(/\bwords: '([\w.]+)'/g))
        for (const key of under(start!)) inBrowser.add(key)
    }
  // What only the server says, on paper and in letters, stays there. A report says its words by the name the
  // server gives it.
  const travels = (key: string) =>
    inBrowser.has(key) ||
    !atServer.has(key) ||
    everywhere.test(key) ||
    /^\w+\.reports\./.test(key) ||
    across.some(({ keys: these }) => these.test(key))

  const starts = [...everything].filter((path) => firstParts.some((part) => path.endsWith(part)))
  const firstKeys = new Set<string>()
  for (const start of starts)
    // What is described has its words in its own group: the lists of screens stand on all descriptions.
    for (const path of closure(start))
      if (!describes(moduleAt(path).text)) for (const key of askedIn(path)) firstKeys.add(key)
  // A way in is drawn at once, and its name with it.
  const brought = (list: string) => (one: { at: number; end: number }) =>
    moduleAt(list).later.filter(
      ({ at, path }) => at > one.at && at < one.end && !firstParts.some((part) => path.endsWith(part)),
    )
  const spelledFirst = new Set(
    starts.flatMap((start) => [...closure(start)]).flatMap((path) => asksFor(moduleAt(path).text).spelled),
  )
  const unlisted = new Set(
    listsOfScreens.flatMap((list) =>
      screensIn(moduleAt(list).text)
        .filter(
          (one) => !one.inMenu && brought(list)(one).length > 0 && !spelledFirst.has(`screens.${one.name}`),
        )
        .map((one) => `screens.${one.name}`),
    ),
  )
  for (const key of keys) if (everywhere.test(key)) firstKeys.add(key)
  for (const key of [...unlisted, ...keys.filter((one) => /^areas\.\w+\.text$/.test(one))])
    firstKeys.delete(key)

  const beginnings = listsOfScreens.flatMap((list) =>
    [...moduleAt(list).text.matchAll(/\bfinds: \[([^\]]*)\]/g)].flatMap((m) =>
      [...m[1]!.matchAll(/'(\w+\.[\w.]*)'/g)].map((one) => one[1]!),
    ),
  )
  const found = new RegExp(`^(${beginnings.join('|').replaceAll('.', '\\.') || '-'})`)
  const groups = new Map<string, string[]>([[first, []]])
  const groupsOf = new Map<string, string[]>()
  const put = (group: string, key: string) => {
    groups.set(group, [...(groups.get(group) ?? []), key])
    groupsOf.set(key, [...(groupsOf.get(key) ?? []), group])
  }
  for (const key of keys) {
    if (!travels(key)) continue
    const wide = across.find(
      ({ group, keys: these }) => these.test(key) || (group === 'fields' && found.test(key)),
    )
    if (firstKeys.has(key)) put(first, key)
    else {
      if (!wide?.alone || (wide.alone === 'unless spelled' && inBrowser.has(key))) put(home.get(key)!, key)
      if (wide) put(wide.group, key)
    }
  }
  const families = new Map<string, string[]>()
  for (const key of keys)
    for (const group of groupsOf.get(key) ?? [])
      if (group !== first && !across.some((wide) => wide.group === group && !wide.alone)) {
        const family = key.slice(0, key.indexOf('.'))
        const held = families.get(family) ?? []
        if (!held.includes(group)) families.set(family, [...held, group])
      }

  const reportHomes = new Map<string, string>()
  for (const key of keys) {
    const report = /^\w+\.reports\.(\w+)\.title$/.exec(key)?.[1]
    if (report) reportHomes.set(report, home.get(key)!)
  }
  const needed = (wanted: Iterable<string>): string[] => {
    const found = new Set<string>()
    for (const key of wanted) {
      const of = groupsOf.get(key) ?? []
      if (of.length) found.add(of[0]!)
    }
    found.delete(first)
    return [...found].toSorted()
  }
  const groupsOfPart = new Map<string, string[]>()
  const ofPart = (path: string): string[] => {
    const done = groupsOfPart.get(path)
    if (done) return done
    const said = [...closure(path)].flatMap((one) =>
      [...readFileSync(join(root, one), 'utf8').matchAll(/Brings the words of: ([\w, ]+)/g)].flatMap((m) =>
        m[1]!.trim().split(/, */),
      ),
    )
    // Codes of refusals in an answer; where the call itself is refused, the words are fetched then.
    const refusals = [...closure(path)].some(
      (one) => one !== 'src/kit/web/calls/call.ts' && asksForRefusals.test(moduleAt(one).text),
    )
    // What names other screens, such as an article or a list of what is exported; the frame names those of
    // the menu.
    const isFirst = firstParts.some((part) => path.endsWith(part))
    const namesOthers = [...closure(path)].some(
      (one) =>
        one !== 'src/kit/web/routes/router.tsx' &&
        !one.startsWith('src/kit/web/shell/') &&
        /`screens\.\$\{/.test(moduleAt(one).text),
    )
    const all = [
      ...new Set([
        ...needed(union(closure(path))),
        ...said,
        ...(refusals ? ['errors'] : []),
        ...(namesOthers && !isFirst ? ['names'] : []),
      ]),
    ]
      .filter((group) => groups.has(group))
      .toSorted()
    groupsOfPart.set(path, all)
    return all
  }
  return {
    groups,
    families,
    parts: [...everything],
    onOf: (path) => moduleAt(path).on,
    closureOf: closure,
    keysOf: (path) => union(closure(path)),
    ofImports: (path) => {
      const { text, later } = moduleAt(path)
      return later.map(({ path: to, at, end }) => {
        const own = new Set(ofPart(to))
        // A screen of nothing but a description: what it shows is named in the list, not in the file that
        // shows it.
        if (path.endsWith('/web/screens.ts') && to.startsWith('src/kit/')) {
          if (to.endsWith('/ReportScreen.tsx'))
            for (const [, name] of text.matchAll(/'(\w+)'/g)) own.add(reportHomes.get(name!) ?? first)
          else
            for (const one of moduleAt(path).on)
              if (!one.includes('/web/')) for (const group of needed(askedIn(one))) own.add(group)
        }
        const isWayIn = firstParts.some((part) => to.endsWith(part))
        if (
          !isWayIn &&
          screensIn(text).some((one) => at > one.at && at < one.end && unlisted.has(`screens.${one.name}`))
        )
          own.add('names')
        own.delete(first)
        return { path: to, at, end, groups: [...own].filter((group) => groups.has(group)).toSorted() }
      })
    },
  }
}
