import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Resource, Row } from '../../describe/resource.ts'
import type { Choice } from '../fields/ChoiceField.tsx'
import type { InputProps } from '../fields/fieldViews.tsx'
import type { Column } from '../parts/DataTable.tsx'
import type { MenuEntry } from '../parts/Menu.tsx'
import type { PhoneGroup } from '../parts/RowCards.tsx'
import type { Words } from '../words.tsx'
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
 * What a feature's web/ gives a described screen beyond its description: a cell, an input, actions, by name. The description stays free
 * of React, and everything here may be absent.
 */
export interface Dress<R = AnyRow> {
  /** Stands on the empty list. */
  icon?: LucideIcon
  cells?: { [field: string]: ComponentType<{ row: R; value: never }> }
  columns?: { [field: string]: Partial<Pick<Column<R>, 'width' | 'strong' | 'align' | 'phone' | 'sort' | 'title'>> }
  inputs?: { [field: string]: ComponentType<DressedInputProps> }
  /** The words of values that are no `choice` in the description (a numeric type): they are filtered by these. */
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
  phoneGroup?: (row: R) => PhoneGroup
}

const dresses = new Map<string, Dress<any>>()

/** `dress(customers, { cells: { balanceAgorot: Balance } })`, in a module that comes with the screen. */
export function dress<R extends Resource<any>>(resource: R, of: Dress<Row<R> & AnyRow>): void {
  dresses.set(resource.name, of)
}

export const dressOf = (resource: AnyResource): Dress<any> => dresses.get(resource.name) ?? {}
