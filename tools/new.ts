import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { wings } from '#kit/describe/wings.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { languages } from '#kit/server/words.ts'
import { checkMessage } from '#kit/server/outside/messages.ts'
import { documentState } from './new/documentState.ts'
import { documentType } from './new/documentType.ts'
import { feature } from './new/feature.ts'
import { migration } from './new/migration.ts'
import { Refusal, type Asks, type Given, type Plan, type Template } from './new/plan.ts'
import { report } from './new/report.ts'
import { resource } from './new/resource.ts'

/*
 * `npm run new <kind> <name> [--option="Words" …]`: writes the files of a new thing in the project's form, and lists
 * what is left to do. Missing words are asked for; another language's come as --option.he="…", and where they are
 * missing the English ones are used until somebody translates them. Without words nothing is written.
 */
const templates: Record<string, Template> = {
  feature,
  resource,
  report,
  documentType,
  documentState,
  migration,
}

async function main(): Promise<void> {
  const [kind = '', place = '', ...rest] = process.argv.slice(2)
  const template = templates[kind]
  if (!template || place === '' || place.startsWith('--'))
    throw new Refusal(
      `npm run new <kind> <name> …\n${Object.values(templates)
        .map((t) => `  ${t.usage}`)
        .join('\n')}`,
    )
  const parts = place.split('/')
  const name = parts.pop()!
  const shape = kind === 'migration' ? /^[a-z][\w-]*$/ : /^[a-z][a-zA-Z0-9]*$/
  if (!shape.test(name) || parts.some((part) => !/^[a-z][a-zA-Z0-9]*$/.test(part)))
    throw new Refusal(`${place} is no name: small letters first, whole English words (workOrders)`)
  const home = homeOf(kind, name, parts)
  const words = await wordsFrom(rest, template.asks)
  const given: Given = { name, ...home, words }
  const plan = await template.make(given)
  const texts = textFiles(given, plan)
  const edited = editsOf(plan)
  for (const [path, text] of Object.entries({ ...plan.files, ...texts })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`  ${plan.files[path] === undefined ? 'words' : 'wrote'} ${path}`)
  }
  for (const [path, text] of Object.entries(edited)) {
    writeFileSync(join(root, path), text)
    console.log(`  edited ${path}`)
  }
  const code = [...Object.keys(plan.files), ...Object.keys(edited)].filter((path) => /\.tsx?$/.test(path))
  if (code.length) run('oxfmt/bin/oxfmt', ...code)
  if (plan.tables) {
    run('tsx/dist/cli.mjs', 'tools/tables.ts')
    console.log('  made db/tables.ts')
  }
  const untold = untranslated(given, plan)
  const steps = [
    ...plan.steps,
    ...(untold.length ? [`translate the words that still stand in English: ${untold.join(', ')}`] : []),
    'npm run check',
  ]
  console.log(`\nNext:\n${steps.map((step, n) => `  ${n + 1}. ${step}`).join('\n')}`)
}

/**
 * The files that have to know of the new thing, changed; all of them are worked out before anything is
 * written.
 */
function editsOf(plan: Plan): Record<string, string> {
  const edited: Record<string, string> = {}
  for (const { path, change } of plan.edits ?? []) {
    const before =
      edited[path] ?? (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined)
    if (before === undefined) throw new Refusal(`${path} is not there; nothing is written`)
    edited[path] = change(before)
  }
  return edited
}

/** A program of a package, over this checkout. */
function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Refusal(`${program} ${args.join(' ')}: ${stderr}`)
}

/**
 * The feature that takes the new thing, and its folder. A feature that is not there yet is asked for with its
 * wing.
 */
function homeOf(kind: string, name: string, parts: string[]): Pick<Given, 'feature' | 'folder'> {
  if (kind === 'migration') return { feature: '', folder: '' }
  const feature = kind === 'feature' ? name : kind.startsWith('document') ? 'documents' : (parts.pop() ?? '')
  const known = featurePlaces().find((place) => place.name === feature)
  const wing = parts.pop()
  if (known && (wing === undefined || wing === known.wing)) return { feature, folder: known.path }
  if (known) throw new Refusal(`${feature} stands in the wing ${known.wing}, not in ${wing}`)
  if (!wings.some((w) => w === wing))
    throw new Refusal(`a new feature stands in one of the wings ${wings.join(', ')}: <wing>/${feature}`)
  return { feature, folder: `src/features/${wing}/${feature}` }
}

/**
 * The options, and answers to what they leave open; where nobody can be asked, what is missing is named and
 * nothing is written.
 */
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
    for (const key of missing)
      while (!words[key]) words[key] = (await reader.question(`${asks[key]}? `)).trim()
    reader.close()
  }
  return words
}

const inEnglish = (source: string, words: Given['words']): string =>
  source.startsWith('"') ? source.slice(1, -1) : words[source]!

/**
 * Each language's file of the feature with the new keys in their places; a key that is there already is never
 * written over.
 */
function textFiles({ folder, words }: Given, { texts }: Plan): Record<string, string> {
  if (!Object.keys(texts).length) return {}
  const problems: string[] = []
  /** The words of screens by key, or those of the paper, in the order of the paper. */
  const filesOf = (prefix: '' | 'paper.', wanted: [string, Plan['texts'][string]][]) =>
    languages.map((language) => {
      const path = `${folder}/text/${prefix}${language}.json`
      const known = existsSync(join(root, path))
        ? (JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>)
        : {}
      const entries = Object.entries(known)
      for (const [key, source] of wanted) {
        const message =
          typeof source === 'object'
            ? source[language]
            : words[`${source}.${language}`] || inEnglish(source, words)
        if (known[key] !== undefined && language === 'en')
          problems.push(`${key} is there already: ${known[key]}`)
        checkMessage(message, language, (why) => problems.push(`“${message}” ${why}`))
        if (known[key] !== undefined) continue
        const group = key.slice(0, key.lastIndexOf('.') + 1)
        const last = entries.findLastIndex(([one]) => one.startsWith(group))
        entries.splice(last < 0 ? entries.length : last + 1, 0, [key, message])
      }
      if (!prefix) entries.sort(([one], [other]) => (one < other ? -1 : 1))
      return [path, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`]
    })
  const all = Object.entries(texts)
  const ofPaper = all.filter(([key]) => key.startsWith('paper.'))
  const ofScreens = all.filter(([key]) => !key.startsWith('paper.'))
  const files = Object.fromEntries([
    ...filesOf('', ofScreens),
    ...(ofPaper.length ? filesOf('paper.', ofPaper) : []),
  ]) as Record<string, string>
  if (problems.length) throw new Refusal([...new Set(problems)].join('\n'))
  return files
}

const untranslated = ({ folder, words }: Given, { texts }: Plan): string[] => {
  const isOfPaper = (key: string) => key.startsWith('paper.')
  return languages.flatMap((l) => {
    const open = Object.entries(texts).flatMap(([key, source]) =>
      typeof source === 'string' && !words[`${source}.${l}`] ? [key] : [],
    )
    if (l === 'en') return []
    return [
      ...(open.some((key) => !isOfPaper(key)) ? [`${folder}/text/${l}.json`] : []),
      ...(open.some(isOfPaper) ? [`${folder}/text/paper.${l}.json`] : []),
    ]
  })
}

main().catch((e: Error) => {
  console.error(e instanceof Refusal ? e.message : e)
  process.exit(1)
})
