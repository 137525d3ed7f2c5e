import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { root } from '../src/kit/server/settings.ts'
import { languages } from '../src/kit/server/words.ts'
import { checkMessage } from './words.ts'
import { documentType } from './new/documentType.ts'
import { feature } from './new/feature.ts'
import { migration } from './new/migration.ts'
import { Refusal, type Asks, type Given, type Plan, type Template } from './new/plan.ts'
import { report } from './new/report.ts'
import { resource } from './new/resource.ts'

/*
 * `npm run new <kind> <name> [--option="Words" …]`: writes the files of a new thing the way the house writes them, and says what is left
 * to do. Words are asked for where they are not given; another language's come as --option.he="…", and where they are missing the English
 * stand until somebody translates them. Without words nothing is written.
 */
const templates: Record<string, Template> = { feature, resource, report, 'document-type': documentType, migration }

async function main(): Promise<void> {
  const [kind = '', place = '', ...rest] = process.argv.slice(2)
  const template = templates[kind]
  if (!template || place === '' || place.startsWith('--'))
    throw new Refusal(
      `npm run new <kind> <name> …\n${Object.values(templates)
        .map((t) => `  ${t.usage}`)
        .join('\n')}`,
    )
  const [first = '', second] = place.split('/')
  const name = second ?? first
  const shape = kind === 'migration' ? /^[a-z][\w-]*$/ : /^[a-z][a-zA-Z0-9]*$/
  if (!shape.test(name) || !/^[a-z][a-zA-Z0-9]*$/.test(second ? first : 'x'))
    throw new Refusal(`${place} is no name: small letters first, whole English words (workOrders)`)
  const words = await wordsFrom(rest, template.asks)
  const given: Given = { name, feature: kind === 'document-type' ? 'documents' : first, words }
  const plan = await template.make(given)
  const texts = textFiles(given, plan)
  for (const [path, text] of Object.entries({ ...plan.files, ...texts })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`  ${plan.files[path] === undefined ? 'words' : 'wrote'} ${path}`)
  }
  const untold = untranslated(given, plan)
  const steps = [
    ...plan.steps,
    ...(untold.length ? [`translate the words that still stand in English: ${untold.join(', ')}`] : []),
    'npm run check',
  ]
  console.log(`\nNext:\n${steps.map((step, n) => `  ${n + 1}. ${step}`).join('\n')}`)
}

/** The options, and answers to what they leave open; where nobody can be asked, what is missing is named and nothing is written. */
async function wordsFrom(rest: string[], asks: Asks): Promise<Record<string, string>> {
  const words: Record<string, string> = {}
  for (const option of rest) {
    const [, key = '', value = ''] = /^--([\w.]+)=(.*)$/s.exec(option) ?? []
    const [base = '', language] = key.split('.')
    if (!(base in asks) || (language !== undefined && !languages.some((l) => l === language)))
      throw new Refusal(`not understood: ${option}`)
    words[key] = value.trim()
  }
  const missing = Object.keys(asks).filter((key) => !words[key])
  if (missing.length && !process.stdin.isTTY)
    throw new Refusal(`words are missing: ${missing.map((key) => `--${key}="…" (${asks[key]})`).join(', ')}`)
  if (missing.length) {
    const reader = createInterface({ input: process.stdin, output: process.stdout })
    for (const key of missing) while (!words[key]) words[key] = (await reader.question(`${asks[key]}? `)).trim()
    reader.close()
  }
  return words
}

const inEnglish = (source: string, words: Given['words']): string => (source.startsWith('"') ? source.slice(1, -1) : words[source]!)

/** Each language's file of the feature with the new keys in their places; a key that is there already is never written over. */
function textFiles({ feature, words }: Given, { texts }: Plan): Record<string, string> {
  if (!Object.keys(texts).length) return {}
  const problems: string[] = []
  const files = Object.fromEntries(
    languages.map((language) => {
      const path = `src/features/${feature}/text/${language}.json`
      const known = existsSync(join(root, path)) ? (JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>) : {}
      for (const [key, source] of Object.entries(texts)) {
        const message = words[`${source}.${language}`] || inEnglish(source, words)
        if (known[key] !== undefined && language === 'en') problems.push(`${key} is there already: ${known[key]}`)
        checkMessage(message, language, (why) => problems.push(`“${message}” ${why}`))
        known[key] ??= message
      }
      const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)))
      return [path, `${JSON.stringify(sorted, null, 2)}\n`]
    }),
  )
  if (problems.length) throw new Refusal([...new Set(problems)].join('\n'))
  return files
}

const untranslated = ({ feature, words }: Given, { texts }: Plan): string[] =>
  languages
    .filter((l) => l !== 'en' && Object.values(texts).some((source) => !words[`${source}.${l}`]))
    .map((l) => `src/features/${feature}/text/${l}.json`)

main().catch((e: Error) => {
  console.error(e instanceof Refusal ? e.message : e)
  process.exit(1)
})
