import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Resource, Row } from '#kit/describe/resource.ts'
import type { Choice } from '../fields/ChoiceField.tsx'
import type { InputProps } from '../fields/fieldViews.tsx'
import { use, useSyncExternalStore } from 'react'
import type { Column, Density } from '../parts/DataTable.tsx'
import type { MenuEntry } from '../parts/Menu.tsx'
import type { PhoneGroup } from '../parts/tableProps.ts'
import type { Words } from '../words/words.tsx'
import type { AnyResource, AnyRow, Values } from './resources.ts'

/** An input that replaces a field's own; it may read the other values and set them too. */
export interface DressedInputProps extends InputProps {
  values: Values
  put: (change: Values) => void
}

export interface BulkAction<R> {
  key: string
  label: string
  icon: LucideIcon
  /** Up to one: the commonest. */
  hi?: boolean
  run: (rows: R[]) => void
}

/** A tab of a list that everyone has: a name and what it asks. */
export interface BuiltView {
  key: string
  label: string
  query: Record<string, string>
  count?: number
  tone?: 'late' | 'wait'
}

/**
 * What a feature's web/ gives a described screen beyond its description: a cell, an input, actions, by name.
 * The description stays free of React, and everything here may be absent.
 */
export interface Dress<R = AnyRow> {
  /** Shown on the empty list. */
  icon?: LucideIcon
  /** Loosely typed on purpose: a cell knows its own record. */
  cells?: { [field: string]: ComponentType<{ row: any; value: any }> }
  columns?: {
    [field: string]: Partial<Pick<Column<R>, 'width' | 'strong' | 'align' | 'phone' | 'sort' | 'title'>>
  }
  inputs?: { [field: string]: ComponentType<DressedInputProps> }
  /**
   * The words of values that are no `choice` in the description (a numeric type): they are filtered by these.
   */
  choices?: { [field: string]: (t: Words) => readonly Choice[] }
  /** More lines of a row's menu and of a card's, above archive. */
  actions?: (row: R, t: Words) => MenuEntry[]
  bulk?: (t: Words) => readonly BulkAction<R>[]
  views?: (t: Words) => readonly BuiltView[]
  /** Where a row leads, when not to its card. */
  href?: (row: R) => string | undefined
  /** The record in words, for screen readers; its title when absent. */
  rowName?: (row: R, t: Words) => string
  isOff?: (row: R) => boolean
  /** How close the rows stand until the person chooses; compact when absent. */
  density?: Density
  phoneGroup?: (row: R) => PhoneGroup
}

/** What another feature adds to a dress: lines of the menu, actions for the chosen rows. */
export type DressMore = Pick<Dress<AnyRow>, 'actions' | 'bulk'>

const more = new Map<string, DressMore[]>()

/**
 * Adds to the dress of another feature's resource, by its name: `dressMore('customers', { actions: (row, t)
 * => […] })`, in web/screens.ts. What an action opens is imported when it is pressed.
 */
export function dressMore(resource: string, of: DressMore): void {
  more.set(resource, [...(more.get(resource) ?? []), of])
  made.clear()
}

const made = new Map<string, Dress<any>>()

/** The feature's own dress with what others have added, the same object until one of them changes. */
function whole(name: string): Dress<any> | undefined {
  const own = dresses.get(name)
  const added = more.get(name)
  if (!added) return own
  const known = made.get(name)
  if (known) return known
  const bulk = [own ?? {}, ...added].flatMap((one) => (one.bulk ? [one.bulk] : []))
  const dressed: Dress<any> = {
    ...own,
    actions: (row, t) => [
      ...(own?.actions?.(row, t) ?? []),
      ...added.flatMap((one) => one.actions?.(row, t) ?? []),
    ],
    ...(bulk.length > 0 ? { bulk: (t: Words) => bulk.flatMap((one) => one(t)) } : {}),
  }
  made.set(name, dressed)
  return dressed
}

const dresses = new Map<string, Dress<any>>()
const waiting = new Map<string, () => Promise<unknown>>()
const listeners = new Set<() => void>()

/** `dress(customers, { cells: { balanceAgorot: Balance } })`, in a module that comes with the screen. */
export function dress<R extends Resource<any>>(resource: R, of: Dress<Row<R> & AnyRow>): void {
  dresses.set(resource.name, of)
  made.delete(resource.name)
  waiting.delete(resource.name)
  for (const listener of listeners) listener()
}

/**
 * Says where a resource's dress is, for the screens of other features that show its records:
 * `dressLater(documents, () => import('./dress.tsx'))` in web/screens.ts. A screen of the feature itself
 * imports its dress and needs this not.
 */
export function dressLater(resource: AnyResource, load: () => Promise<unknown>): void {
  if (!dresses.has(resource.name)) waiting.set(resource.name, load)
}

/** Names of the dresses that did not arrive: their records are plain until the network is back. */
const failed = new Set<string>()
globalThis.addEventListener?.('online', () => failed.clear())
const coming = new Map<string, Promise<void>>()

/** The promise of a dress that has not arrived yet; undefined when there is nothing to wait for. */
export function dressComing({ name }: AnyResource): Promise<void> | undefined {
  const load = waiting.get(name)
  if (!load || failed.has(name)) return undefined
  let arrives = coming.get(name)
  if (!arrives) {
    arrives = load().then(
      () => void coming.delete(name),
      () => {
        coming.delete(name)
        failed.add(name)
      },
    )
    coming.set(name, arrives)
  }
  return arrives
}

/** The dress as it is now, outside a component that must follow it. */
export const dressOf = (resource: AnyResource): Dress<any> => whole(resource.name) ?? bare

/**
 * The dress of a resource. The component waits for one that has not arrived (it suspends): columns, tabs and
 * inputs that change after they were drawn would move under the person's hand. What the component asks of the
 * server is requested before, see `useRows` and `useRecord`.
 */
export function useDress(resource: AnyResource): Dress<any> {
  const dress = useSyncExternalStore(subscribe, () => whole(resource.name) ?? bare)
  const arrives = dressComing(resource)
  if (arrives) use(arrives)
  return dress
}

const bare: Dress<any> = {}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
