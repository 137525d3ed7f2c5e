import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'DECISIONS.md',
  'GLOSSARY.md',
  'EXAMPLES.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  'docs/asvs.md',
  'docs/commands.md',
  'docs/operations.md',
  'docs/settings.md',
  'docs/security-rules.md',
  'docs/hold.md',
  'docs/scale.md',
  'tests/README.md',
  'src/kit/server/README.md',
  'src/kit/web/README.md',
]

/** The largest size of a page in bytes: a longer one is not read. */
const most: Record<string, number> = {
  'README.md': 6_000,
  'ARCHITECTURE.md': 9_000,
  'CONTRIBUTING.md': 10_000,
  'src/kit/server/README.md': 3_000,
  'src/kit/web/README.md': 3_000,
}
const mostOfWing = 3_000

/** Pages whose paths are checked; the others tell of files that may be gone. */
const checked = pages.filter(
  (page) => !['DECISIONS.md', 'GLOSSARY.md', 'CHANGELOG.md', 'LICENSE'].includes(page),
)

/**
 * The project's own pages exist, no path that one of them names in backticks is gone, and every requirement of ASVS has an
 * answer.
 */
export function checkPapers(): string[] {
  const problems = pages.filter((p) => !existsSync(join(root, p))).map((p) => `${p} is missing`)
  for (const page of checked) {
    if (!existsSync(join(root, page))) continue
    const text = readFileSync(join(root, page), 'utf8')
    problems.push(...gonePaths(text).map((path) => `${page} names ${path}, which is not there`))
    problems.push(...overlong(page, text, most[page] ?? Infinity))
    if (page === 'docs/asvs.md') problems.push(...unanswered(text).map((problem) => `${page}: ${problem}`))
    if (page === 'docs/settings.md')
      problems.push(...unlisted(text, settingsRead()).map((problem) => `${page}: ${problem}`))
    if (page === 'docs/commands.md')
      problems.push(...unlistedCommands(text).map((problem) => `${page}: ${problem}`))
  }
  return [...problems, ...wingPages()]
}

const overlong = (page: string, text: string, bytes: number): string[] =>
  Buffer.byteLength(text) > bytes ? [`${page} has more than ${bytes} bytes`] : []

/** What the page of each wing lacks: it lists the wing's features, and the files it names exist. */
function wingPages(): string[] {
  const features = new Map<string, string[]>()
  for (const { wing, name } of featurePlaces()) features.set(wing, [...(features.get(wing) ?? []), name])
  return [...features].flatMap(([wing, names]) => {
    const page = `src/features/${wing}/README.md`
    if (!existsSync(join(root, page))) return [`${page} is missing`]
    const text = readFileSync(join(root, page), 'utf8')
    const inside = [...text.matchAll(/`(\w+\/[\w/.-]+\.\w+)`/g)].map(([, path]) => path!)
    return [
      ...overlong(page, text, mostOfWing),
      ...names.filter((name) => !text.includes(`\`${name}\``)).map((name) => `${page} lacks ${name}`),
      ...gonePaths(text).map((path) => `${page} names ${path}, which is not there`),
      ...inside
        .filter((path) => !/^(?:src|db|tests|tools|docs)\//.test(path))
        .filter((path) => !existsSync(join(root, 'src/features', wing, path)))
        .map((path) => `${page} names ${path}, which is not there`),
    ]
  })
}

/** Variables of the platform, and those by which one process of the server starts another. */
const internal = new Set(['NODE_ENV', 'PATH', 'TZ', 'PINKAS_STORE', 'PINKAS_POOLED', 'PINKAS_PORT'])

/** The environment variables that the server and the development commands of `docs/settings.md` read. */
function settingsRead(): Set<string> {
  const names = new Set(['API_PORT', 'TEST_DATABASE_URL', 'CHROMIUM'])
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|[\\/]clients?[\\/]/.test(file)) continue
    const text = readFileSync(join(root, 'src', file), 'utf8')
    for (const [, name] of text.matchAll(/process\.env\.([A-Z][A-Z0-9_]+)/g)) names.add(name!)
    for (const [, name] of text.matchAll(/\b(?:whole|oneOf|named|address)\('([A-Z_]+)'/g)) names.add(name!)
    for (const [, app] of text.matchAll(/readOutsideApp\('([A-Z_]+)'\)/g))
      for (const end of ['CLIENT_ID', 'CLIENT_SECRET']) names.add(`${app}_${end}`)
    for (const [, list] of text.matchAll(/const \{([^}]*)\} =\s+process\.env\b/g))
      for (const [name] of list!.matchAll(/\b[A-Z][A-Z0-9_]+\b/g)) names.add(name)
  }
  return new Set([...names].filter((name) => !internal.has(name)))
}

/** Settings that the page lacks, and names on the page that nothing reads. */
export function unlisted(text: string, read: ReadonlySet<string>): string[] {
  const listed = new Set(
    [...text.matchAll(/^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+)/gm)].flatMap(([, names]) =>
      [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    ),
  )
  return [
    ...[...read].filter((name) => !listed.has(name)).map((name) => `lacks ${name}`),
    ...[...listed].filter((name) => !read.has(name)).map((name) => `names ${name}, which nothing reads`),
  ]
}

function unlistedCommands(text: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const listed = new Set([...text.matchAll(/^\| `npm (?:run )?([\w:-]+)/gm)].map(([, name]) => name!))
  return [
    ...Object.keys(scripts)
      .filter((name) => !listed.has(name))
      .map((name) => `lacks npm run ${name}`),
    ...[...listed]
      .filter((name) => !(name in scripts))
      .map((name) => `names npm run ${name}, which is not there`),
  ]
}

/** The paths that a page names in backticks and that are gone. */
export const gonePaths = (text: string): string[] =>
  pathsIn(text).filter((path) => !existsSync(join(root, path)))

/** A path with a star or a name in angle brackets is a pattern; its folder must be there. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|db|tests|tools|deploy|\.ci|public|docs)\/[\w./*-]+)`/g)].map(([, path]) =>
    path!.includes('*') ? path!.slice(0, path!.indexOf('*')).replace(/[^/]*$/, '') : path!,
  )

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const requirements = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

/** What the table of requirements lacks: each has a separate number, and names a source or gives a reason. */
export function unanswered(text: string): string[] {
  const rows = [...text.matchAll(/^\| (\d+)\.(\d+\.\d+)\s*\| ([12])\s*\| (.+?)\s*\| (.*?)\s*\|$/gm)]
  const numbers = rows.map(([, chapter, rest]) => `${chapter}.${rest}`)
  const twice = numbers.filter((number, i) => numbers.indexOf(number) !== i)
  const short = requirements.flatMap((wanted, i) => {
    const found = new Set(rows.filter(([, chapter]) => Number(chapter) === i + 1).map(([, , rest]) => rest))
      .size
    return found === wanted ? [] : [`chapter ${i + 1} has ${found} requirements, not ${wanted}`]
  })
  const empty = rows
    .filter(([, , , , , met]) => !met || /\b(todo|open|tbd|later)\b\s*$/i.test(met) || met.length < 8)
    .map(([, chapter, rest]) => `${chapter}.${rest} has no answer`)
  return [...twice.map((number) => `${number} is there twice`), ...short, ...empty]
}
