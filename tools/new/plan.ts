import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Language } from '#kit/server/context.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'

/** What a template asks for: the option's name and the question. */
export type Asks = Record<string, string>

export interface Given {
  name: string
  /** The feature it belongs to; of `new feature` the name itself. */
  feature: string
  /** The feature's folder from the root: `src/features/<wing>/<feature>`. */
  folder: string
  /** The words asked for, in English; a language's own under `<option>.<language>`. */
  words: Record<string, string>
}

/**
 * A file that has to know of a new thing, and how its text changes. Every change is worked out before the
 * first file is written.
 */
export interface Edit {
  path: string
  change: (text: string) => string
}

/** What a template answers: nothing is written before everything is known. */
export interface Plan {
  /** Path from the root -> text. */
  files: Record<string, string>
  /** Word key -> the option whose words it takes, the English words in quotation marks, or a value per language. */
  texts: Record<string, string | Record<Language, string>>
  /** What has to know of it. */
  edits?: Edit[]
  /** Whether `db/tables.ts` follows from the files. */
  tables?: boolean
  /** What a person does next, in order. */
  steps: string[]
}

export interface Template {
  /** Shown when the command is not understood. */
  usage: string
  asks: Asks
  make: (given: Given) => Plan | Promise<Plan>
}

/** A mistake of the person at the keyboard: said without a stack. */
export class Refusal extends Error {}

export const isThere = (path: string): boolean => existsSync(join(root, path))

/** 'workOrders' -> 'WorkOrders' */
export const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** 'workOrders' -> 'work_orders' */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** 'workOrders' -> 'work-orders' */
export const dashed = (name: string): string => snake(name).replaceAll('_', '-')

/** The file of the next migration. */
export function nextMigration(name: string): string {
  const numbers = readdirSync(join(root, 'db/migrations')).map((file) => Number(file.slice(0, 4)) || 0)
  return `db/migrations/${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}-${dashed(name)}.sql`
}

/**
 * Two numbers for the permissions of a new feature, in a free ten: a number is never used for a second meaning.
 */
export async function nextRules(): Promise<[see: number, change: number]> {
  for (const { path } of featurePlaces())
    if (isThere(`${path}/rules.ts`))
      await import(/* @vite-ignore */ pathToFileURL(join(root, path, 'rules.ts')).href)
  const { allRules } = await import('#kit/describe/session.ts')
  const ten = 10 * (Math.floor(Math.max(0, ...allRules().values()) / 10) + 1)
  return [ten, ten + 1]
}

/** Two features may not give one screen's path, nor one name. */
export function refuseTwins(what: 'name' | 'path', value: string): void {
  for (const { name, path } of featurePlaces()) {
    const file = join(root, path, 'web/screens.ts')
    if (existsSync(file) && readFileSync(file, 'utf8').includes(`${what}: '${value}'`))
      throw new Refusal(`a screen of ${name} has the ${what} ${value} already`)
  }
}
