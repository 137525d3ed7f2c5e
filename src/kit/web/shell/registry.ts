import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore, type ComponentType } from 'react'
import type { MenuGroup, Screen } from '#kit/describe/screen.ts'
import type { KeyGroup } from '../parts/keyGroup.ts'

/*
 * What features hand to the frame. They do it in web/screens.ts, which is read at the start; anything heavy
 * is imported inside.
 */

let version = 0
const listeners = new Set<() => void>()
const changed = () => {
  version++
  for (const listener of listeners) listener()
}
function add<T>(list: T[], one: T): () => void {
  list.push(one)
  changed()
  return () => {
    list.splice(list.indexOf(one), 1)
    changed()
  }
}

/** Re-renders when something is registered or removed. */
export const useRegistry = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => version,
    () => version,
  )

/** One thing found by the palette: a customer, a document. */
export interface Found {
  key: string
  label: string
  icon?: LucideIcon
  /** At the inline end: a balance, a day and a sum. */
  hint?: string
  href: string
  /** In place of going there. */
  run?: () => void
}

export interface SearchSource {
  /** Word key of the group's title. */
  group: string
  /** Needed right; a source the person may not see is not asked. */
  rule?: string
  /** The smaller, the earlier. */
  order: number
  find: (query: string, signal: AbortSignal) => Promise<readonly Found[]>
}

export const searchSources: SearchSource[] = []

/**
 * Lets the palette search a feature's things: `registerSearch('customers.title', find, { rule: 'customers.see', order: 10 })`.
 * Returns the way to undo it.
 */
export const registerSearch = (
  group: string,
  find: SearchSource['find'],
  { rule, order }: { rule?: string; order: number },
): (() => void) => add(searchSources, { group, find, order, ...(rule ? { rule } : {}) })

export interface NewThing {
  key: string
  /** Word key: "New tax invoice". */
  word: string
  icon: LucideIcon
  href: string
  rule?: string
  /** Numeric id of a document type that must be allowed. */
  documentType?: number
  /** The smaller, the earlier. */
  order?: number
  /** A shortcut shown beside it; the page itself listens. */
  keys?: string
}

export const newThings: NewThing[] = []

/** Offers to begin something: in the sheet behind the phone's plus, and among the palette's actions. */
export const registerNew = (thing: NewThing): (() => void) => add(newThings, thing)

/**
 * A line of the menu without a screen: one kind of documents, a saved view. Its words are `screens.<name>`.
 */
export interface MenuLink {
  name: string
  href: string
  menu: { group: MenuGroup; icon: string; order: number; pinned?: boolean; more?: boolean }
  area?: string
  rule?: string
  module?: string
  users?: readonly number[]
}

export interface Fitting {
  /** The business's own logo, as an address the page may show. */
  logo?: string | undefined
  /** Under the company's name: the word key of its kind, and its number. */
  company?: { word: string; number: string } | undefined
  /** There is something to be told in the help: a quiet mark at its button. */
  news?: boolean | undefined
  /** A line under the header, until what it asks for is done. */
  strip?: ComponentType | undefined
}

let fitting: Fitting = {}

/** Puts the business's own logo and number into the frame; the feature that knows the business does. */
export function fitShell(change: Fitting): void {
  fitting = { ...fitting, ...change }
  changed()
}

export function useFitting(): Fitting {
  useRegistry()
  return fitting
}

export const clearFitting = (): void => {
  fitting = {}
  changed()
}

/** The help beside the page. */
export type BesidePart = ComponentType<{
  screen: Screen | undefined
  onClose: () => void
  onKeys: () => void
}>

let turnOn: ((areas: readonly string[]) => Promise<void>) | undefined

/** How areas are turned on from a search or from an address; the feature that keeps them gives it. */
export const provideTurnOn = (does: NonNullable<typeof turnOn>): void => void (turnOn = does)

/** Turns areas on for the business. The menu has them when the promise is kept. */
export const turnOnAreas = async (areas: readonly string[]): Promise<void> => turnOn?.(areas)

let beside: (() => Promise<BesidePart>) | undefined

/** Gives the frame the help about the page one is on; behind `?` and a mark in the header. */
export function provideHelp(load: () => Promise<BesidePart>): void {
  beside = load
  changed()
}

export const helpBeside = (): (() => Promise<BesidePart>) | undefined => beside

const sessionStarts: (() => void)[] = []
let isIn = false

/**
 * Runs when somebody is in: at the start of the application, and after each log-in. Who comes to be known
 * while somebody is in runs at once.
 */
export function onSession(run: () => void): void {
  sessionStarts.push(run)
  if (isIn) run()
}

/** The frame tells that somebody is in. */
export const sessionStarted = (): void => {
  isIn = true
  for (const run of sessionStarts) run()
}

/** The frame tells that nobody is in. */
export const sessionOver = (): void => void (isIn = false)

const pageKeys: KeyGroup[] = []
export const keyGroups = (): readonly KeyGroup[] => pageKeys

/**
 * The keys of this page, in the help behind `?` while the page is open. Give a value that stays the same
 * between renders.
 */
export function useKeysHelp(group: KeyGroup): void {
  useEffect(() => add(pageKeys, group), [group])
}
