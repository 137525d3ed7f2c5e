import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { implementations, reports } from '../src/features.ts'
import { companyFields, companySections } from '#features/base/companies/company.ts'
import { banks } from '#domain/bankAccount.ts'
import { businessKinds, documentTypeNames, vatKinds, type BusinessKind } from '#domain/documents/kinds.ts'
import { chartFor } from '#domain/ledger/chart.ts'
import { errorStatus } from '#kit/describe/errors.ts'
import type { Resource } from '#kit/describe/resource.ts'
import { menuGroups } from '#kit/describe/screen.ts'
import { allRules } from '#kit/describe/session.ts'
import type { Field, Fields } from '#kit/fields/field.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { root } from '#kit/server/settings.ts'
import { checkMessage } from '#kit/server/outside/messages.ts'
import { languages, wordFolders } from '#kit/server/words.ts'
import { checkAgreement } from './agreement.ts'
import { checkStyle } from './style.ts'

/*
 * Checks the words: every language says every key, messages are sound, and what code asks for exists.
 * `node tools/run.mjs tools/words.ts`
 */

type Language = (typeof languages)[number]

const keyShape = /^[a-z]\w*(\.\w+)+$/i

// ---- the texts

interface Text {
  /** The file's path without the language: 'src/kit/web/text/server'. */
  part: string
  language: Language
  words: Record<string, string>
  problems: string[]
}

function readText(path: string): Text | undefined {
  const named = /^(?:(\w+)\.)?(he|en|ar|ru|fr)\.json$/.exec(basename(path))
  if (!named) return undefined
  const source = readFileSync(path, 'utf8')
  const where = relative(root, path)
  const words = JSON.parse(source) as Record<string, string>
  const keys = [...source.matchAll(/^\s*"((?:[^"\\]|\\.)*)":/gm)].map((m) => m[1]!)
  const twice = keys.filter((key, i) => keys.indexOf(key) !== i).map((key) => `${where}: ${key} stands twice`)
  return {
    part: join(dirname(where), named[1] ?? ''),
    language: named[2] as Language,
    words,
    problems: twice,
  }
}

const readTexts = (): Text[] =>
  wordFolders().flatMap((folder) => readdirSync(folder).flatMap((file) => readText(join(folder, file)) ?? []))

/** The same keys in every language of a part, and no key in two parts. */
function compareKeys(texts: Text[]): string[] {
  const problems: string[] = []
  const home = new Map<string, string>()
  for (const part of new Set(texts.map((t) => t.part))) {
    const of = (language: Language) => texts.find((t) => t.part === part && t.language === language)?.words
    const hebrew = of('he') ?? {}
    for (const key of Object.keys(hebrew)) {
      if (!keyShape.test(key)) problems.push(`${part}: ${key} is no key`)
      if (home.has(key)) problems.push(`${key} stands in ${home.get(key)} and in ${part}`)
      home.set(key, part)
    }
    for (const language of languages) {
      const words = of(language) ?? {}
      for (const key of Object.keys(hebrew))
        if (!(key in words)) problems.push(`${part} ${language}: ${key} is missing`)
      for (const key of Object.keys(words))
        if (!(key in hebrew)) problems.push(`${part} ${language}: ${key} is not in Hebrew`)
    }
  }
  return problems
}

function checkMessages(texts: Text[]): string[] {
  const problems: string[] = []
  for (const { part, language, words } of texts) {
    const hebrew = texts.find((t) => t.part === part && t.language === 'he')?.words ?? {}
    for (const [key, message] of Object.entries(words)) {
      const complain = (why: string) => problems.push(`${part} ${language}: ${key} ${why}`)
      if (typeof message !== 'string' || message === '') {
        complain('says nothing')
        continue
      }
      const filled = checkMessage(message, language, complain)
      const original = hebrew[key] === undefined ? filled : checkMessage(hebrew[key], 'he', () => undefined)
      if (filled !== original)
        complain(`is filled with ${filled || 'nothing'}, in Hebrew with ${original || 'nothing'}`)
    }
  }
  return problems
}

// ---- what the code asks for

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'text' ? [] : sourcesUnder(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
  })
}

const sources = sourcesUnder(join(root, 'src')).map((path) => ({
  path: relative(root, path),
  text: readFileSync(path, 'utf8'),
}))
const captures = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map((m) => m[1]!)

/** The descriptions that stand in the features' own folders. */
async function describedResources(): Promise<Resource[]> {
  const found = sources.filter(
    ({ path, text }) => /^src\/features\/\w+\/\w+\/\w+\.ts$/.test(path) && text.includes('defineResource('),
  )
  const modules = await Promise.all(
    found.map(({ path }) => import(pathToFileURL(join(root, path)).href) as Promise<Record<string, unknown>>),
  )
  return modules
    .flatMap((m) => Object.values(m))
    .filter((v): v is Resource => typeof v === 'object' && v !== null && 'table' in v && 'fields' in v)
}
const resources = await describedResources()

const choicesOf = (prefix: string, fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]: [string, Field]) =>
    (field.of ?? []).map((choice) => `${field.words ?? `${prefix}.${name}`}.${choice}`),
  )

function resourceKeys(r: Resource): string[] {
  const fields = Object.keys(r.fields).map((name) => `fields.${name}`)
  const sections = r.form.map(({ section }) => `sections.${section}`)
  return [
    ...['title', 'one', 'new', 'search', 'empty.title', 'empty.text', ...fields, ...sections].map(
      (key) => `${r.name}.${key}`,
    ),
    ...choicesOf(r.name, r.fields),
  ]
}

function reportKeys(r: Report): string[] {
  const words = `${r.feature}.reports.${r.name}`
  const bands = Object.values(r.columns).flatMap(({ band }) => (band ? [`bands.${band}`] : []))
  const parts = [
    ...Object.keys(r.columns).map((name) => `columns.${name}`),
    ...Object.keys(r.filters).map((name) => `filters.${name}`),
    ...Object.keys(r.must ?? {}).map((name) => `checks.${name}`),
  ]
  return [
    ...['title', 'text', ...parts, ...bands].map((key) => `${words}.${key}`),
    ...choicesOf(words, r.columns),
    ...choicesOf(words, r.filters),
  ]
}

/** Codes declared, and codes of refused values wherever they stand in the code. */
function errorKeys(): string[] {
  const fields = sources.flatMap(({ path, text }) => [
    ...captures(/'(fields\.\w+)'/g, text),
    ...(path.endsWith('fields/schema.ts')
      ? captures(/\bcode\('(\w+)'\)/g, text).map((name) => `fields.${name}`)
      : []),
  ])
  const thrown = sources.flatMap(({ text }) => [
    ...captures(/\b(?:fail|new Failure)\('(\w+\.\w+)'/g, text),
    ...captures(/\bfailField\([^;]*?, '(\w+\.\w+)'/g, text),
    ...captures(/\bcode: '(\w+\.\w+)'/g, text),
  ])
  const listed = implementations.flatMap(({ endpoint }) => endpoint.errors ?? [])
  return [...Object.keys(errorStatus), ...fields, ...thrown, ...listed].map((code) => `errors.${code}`)
}

/**
 * What the log of activity holds: the verbs of resources that can be changed, and every action named in the
 * code.
 */
function auditKeys(): string[] {
  const verbs = resources
    .filter((r) => r.form.length)
    .flatMap((r) => ['create', 'change', 'archive', 'restore'].map((verb) => `${r.name}.${verb}`))
  const migrations = readdirSync(join(root, 'db/migrations')).map((file) =>
    readFileSync(join(root, 'db/migrations', file), 'utf8'),
  )
  const inserted = [...sources.map(({ text }) => text), ...migrations].flatMap((text) =>
    captures(/insert into audit_log[^`;]*?'(\w+\.\w+)'/g, text),
  )
  const named = [...sources.flatMap(({ text }) => captures(/\.audit\('(\w+\.\w+)'/g, text)), ...inserted]
  return [...verbs, ...named].map((action) => `companies.audit.${action}`)
}

/** Names of screens and of menu lines, as the features' lists of screens write them. */
const screenKeys = (): string[] =>
  sources
    .filter(({ path }) => path.endsWith('/web/screens.ts'))
    .flatMap(({ text }) => [
      ...captures(/\bname: '(\w+)'/g, text),
      ...captures(/\(\s*'(\w+)',\s*['"`]\//g, text),
    ])
    .map((name) => `screens.${name}`)

/** Keys that no line of code spells out: they follow from descriptions. */
const derivedKeys = (): string[] => [
  ...errorKeys(),
  ...resources.flatMap(resourceKeys),
  ...reports.flatMap(reportKeys),
  ...auditKeys(),
  ...screenKeys(),
  ...menuGroups.map((group) => `menu.${group}`),
  // What a rule allows is in the table of rights, under its area.
  ...[...allRules().keys()].flatMap((rule) => [`team.rules.${rule}`, `team.areas.${rule.split('.')[0]}`]),
  ...Object.keys(companyFields).map((name) => `companies.fields.${name}`),
  ...companySections.map(({ section }) => `companies.sections.${section}`),
  ...choicesOf('companies', companyFields),
  ...documentTypeNames.flatMap((name) => [`documents.types.${name}`, `documents.typesPlural.${name}`]),
  ...['now', 'net', 'eom'].map((kind) => `documents.terms.${kind}`),
  ...Object.values(vatKinds).map((id) => `documents.vatKind.${id}`),
  ...[
    'opening',
    'manual',
    'reversal',
    ...sources.flatMap(({ text }) => captures(/\bpost\(ctx, \{[^}]*?\bkind: '(\w+)'/g, text)),
  ].map((kind) => `ledger.kinds.${kind}`),
  ...(Object.keys(businessKinds) as BusinessKind[]).flatMap((kind) =>
    chartFor(kind).map(({ key }) => `ledger.accounts.${key}`),
  ),
  ...Object.values(banks).map((name) => `ledger.banks.${name}`),
]

/**
 * Keys spelled out where words are asked for, t('…') and say(language, '…'), also as one of two; with the
 * files that ask.
 */
export function literalKeys(): Map<string, Set<string>> {
  const asked = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    for (const call of text.matchAll(/(?<![\w.$])(?:t\(|say\([^'`(),]+,)\s*/g)) {
      const first = /^[^,;`{}]*?(?=[,)])/.exec(text.slice(call.index + call[0].length))?.[0] ?? ''
      // `t(a === 'x' ? 'one' : 'two')`: what is compared is no key.
      for (const key of captures(
        /'([^']+)'/g,
        first.includes('?') ? first.slice(first.indexOf('?')) : first,
      )) {
        if (keyShape.test(key)) asked.set(key, (asked.get(key) ?? new Set()).add(path))
      }
    }
  }
  return asked
}

/** Says what is wrong with the words, one line each. */
export function checkWords(): string[] {
  const texts = readTexts()
  const hebrew = new Set(texts.filter((t) => t.language === 'he').flatMap((t) => Object.keys(t.words)))
  return [
    ...texts.flatMap((t) => t.problems),
    ...compareKeys(texts),
    ...checkMessages(texts),
    ...texts.flatMap(({ language, words }) => checkAgreement(language, words)),
    ...texts.flatMap(({ language, words }) =>
      Object.entries(words).flatMap(([key, text]) => checkStyle(language, key, text)),
    ),
    ...[...new Set(derivedKeys())]
      .filter((key) => !hebrew.has(key))
      .map((key) => `${key} follows from a description and has no words`),
    ...[...literalKeys()]
      .filter(([key]) => !hebrew.has(key))
      .map(([key, paths]) => `${key} is asked for in ${[...paths].join(', ')} and has no words`),
  ]
}

// ---- words nobody asks for

/**
 * Families whose keys all follow from descriptions; a template such as `screens.${name}` proves none of them.
 */
const derivedFamilies =
  /^(errors|screens|menu|companies\.audit|ledger\.(accounts|banks)|documents\.types(Plural)?|(?!kit)\w+\.reports)\./

/** Keys that neither follow from a description nor are spelled or put together in the code. */
export function orphanWords(): string[] {
  const derived = new Set(derivedKeys())
  const hints = new Set([
    ...resources.flatMap((r) => Object.keys(r.fields).map((name) => `${r.name}.hints.${name}`)),
    ...Object.keys(companyFields).map((name) => `companies.hints.${name}`),
  ])
  const all = sources.map(({ text }) => text).join('\n')
  const spelled = new Set(captures(/['"`]([a-z]\w*(?:\.\w+)+)['"`]/gi, all))
  const made = captures(/`([a-z]\w*\.(?:[^`$]|\$\{[^`]*?\})*)`/gi, all)
    .filter((template) => template.includes('${'))
    .map(
      (template) =>
        new RegExp(
          `^${template
            .split(/\$\{.*?\}/)
            .map((literal) => literal.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&'))
            .join('[\\w.]+')}$`,
        ),
    )
  const keys = readTexts()
    .filter((t) => t.language === 'he')
    .flatMap((t) => Object.keys(t.words))
  return keys.filter(
    (key) =>
      !derived.has(key) &&
      !hints.has(key) &&
      !spelled.has(key) &&
      (derivedFamilies.test(key) || !made.some((pattern) => pattern.test(key))),
  )
}

if (
  process.argv[1] &&
  existsSync(process.argv[1]) &&
  resolve(process.argv[1]) === resolve(import.meta.filename)
) {
  const problems = checkWords()
  const orphans = orphanWords()
  if (orphans.length)
    console.warn(
      `Nobody asks for these words yet (${orphans.length}):\n${orphans.map((key) => `  ${key}`).join('\n')}`,
    )
  if (problems.length)
    console.error(`The words need work (${problems.length}):\n${problems.map((p) => `  ${p}`).join('\n')}`)
  else console.log('The words are in order.')
  process.exit(problems.length ? 1 : 0)
}
