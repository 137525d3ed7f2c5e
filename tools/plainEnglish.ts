import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '#kit/server/settings.ts'

// Phrases that engineers do not use in comments and documentation, with what they write instead. The source has many from
// earlier; the counts in plainEnglish.json may fall and never rise. `node tools/run.mjs tools/plainEnglish.ts` lowers them.
const phrases: Record<string, { is: RegExp; say: string }> = {
  whoever: { is: /\bwhoever\b/gi, say: 'anyone who, the person who' },
  'is told': { is: /\b(?:is|are|was|were) told\b/gi, say: 'is shown, is reported, learns' },
  stands: { is: /\bstands\b(?! for\b)/gi, say: 'is, appears' },
  'by itself': { is: /\bby (?:itself|themselves)\b/gi, say: 'automatically' },
  // ‘People see the list of their own leads’ is plain.
  'of its own': {
    is: /\bof (?:its|his|their|one[’']s) own\b(?! (?!(?:and|or|that|in|on|at|for|to|is|was|by|with|from|where|which|as|beside)\b)[a-z])/gi,
    say: 'its own, a separate',
  },
  'taken back': {
    is: /\b(?:taken|takes?|took|given|gives?|gave) back\b/gi,
    say: 'undone, reversed, returned',
  },
  he: { is: /\b(?:he|his|him|himself)\b/gi, say: 'they, their' },
  deed: { is: /\bdeeds?\b/gi, say: 'action' },
  sums: { is: /\bsums\b/gi, say: 'amounts, totals' },
}

const counted = join(root, 'tools/plainEnglish.json')
type Counts = Record<string, Record<string, number>>

/** The comments of a source, or a page of documentation without its code; other files have none. */
export function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const comment = path.endsWith('.css') ? /\/\*[\s\S]*?\*\//g : /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ [^\n]*/g
  return [...text.matchAll(comment)].map(([said]) => said.replace(/`[^`\n]*`/g, '')).join('\n')
}

/** How often each phrase occurs in a text. */
export const phrasesIn = (prose: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(phrases).flatMap(([name, { is }]) => {
      const count = prose.match(is)?.length ?? 0
      return count > 0 ? [[name, count]] : []
    }),
  )

/** Areas are small enough that a phrase which is added is found, and large enough that moving code within one is free. */
const areaOf = (path: string): string => {
  const [first, second, third] = path.split('/')
  if (first !== 'src') return path.includes('/') ? first! : path
  return third === undefined
    ? first
    : second === 'features'
      ? `${first}/${second}/${third}`
      : `${first}/${second}`
}

function countAll(): Counts {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const counts: Counts = {}
  for (const path of tracked.trim().split('\n').sort()) {
    if (!/\.(?:ts|tsx|mjs|css|md)$/.test(path) || path.startsWith('tools/plainEnglish')) continue
    // Texts of the product have their own check, a changelog tells what was, and the pages of style name what to avoid.
    if (/\/help\/|^CHANGELOG|^db\/|^docs\/(?:style|releases)\//.test(path)) continue
    let text: string
    try {
      text = readFileSync(join(root, path), 'utf8')
    } catch {
      // Deleted and not committed yet.
      continue
    }
    for (const [phrase, count] of Object.entries(phrasesIn(proseOf(path, text)))) {
      const area = (counts[areaOf(path)] ??= {})
      area[phrase] = (area[phrase] ?? 0) + count
    }
  }
  return counts
}

/** Where a phrase occurs more often than what is committed allows. */
export const grown = (now: Counts, allowed: Counts): string[] =>
  Object.entries(now).flatMap(([area, found]) =>
    Object.entries(found).flatMap(([phrase, count]) => {
      const most = allowed[area]?.[phrase] ?? 0
      return count > most
        ? [`${area}: ‘${phrase}’ ${count} times in comments, ${most} before; write: ${phrases[phrase]!.say}`]
        : []
    }),
  )

/** Phrases that were added to comments or documentation. */
export const checkEnglish = (): string[] =>
  grown(countAll(), JSON.parse(readFileSync(counted, 'utf8')) as Counts)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const now = countAll()
  const problems = grown(now, JSON.parse(readFileSync(counted, 'utf8')) as Counts)
  if (problems.length && !process.argv.includes('--anew')) {
    for (const problem of problems) console.error(problem)
    process.exit(1)
  }
  writeFileSync(counted, `${JSON.stringify(now, undefined, 2)}\n`)
  const total = Object.values(now).reduce(
    (sum, found) => sum + Object.values(found).reduce((a, b) => a + b, 0),
    0,
  )
  console.log(`${total} phrases are left`)
}
