import type { ReactNode, Ref } from 'react'
import type { MenuEntry } from './Menu.tsx'

/** A head between cards: the month and its sum. */
export interface PhoneGroup {
  key: string
  title: ReactNode
  sum?: ReactNode
}

export interface Column<R> {
  key: string
  title: string
  /** The same words over neighbouring columns stand once above them all. */
  band?: string
  cell: (row: R) => ReactNode
  /** amount: physically right in both directions, shrunk to its widest figure. middle: one mark only. */
  align?: 'amount' | 'middle'
  /**
   * fit shrinks to the content; trim takes what is left and cuts at the text's own end; a CSS length or share
   * does both.
   */
  width?: 'fit' | 'trim' | (string & {})
  /** The one column in weight 500: the number or the name. */
  strong?: boolean
  sort?: boolean
  /** The closing total of the column. */
  foot?: ReactNode
  /** Its place on the phone's card; unmarked columns are not on it. */
  phone?: 'title' | 'amount' | 'line' | 'state'
  /**
   * On the card, which has no headings, its title is before the figure of these rows: debit and credit are not
   * distinct without.
   */
  named?: (row: R) => boolean
}

export interface Sort {
  key: string
  direction: 'asc' | 'desc'
}

export type Density = 'comfortable' | 'compact' | 'dense'

export interface DataTableProps<R> {
  /** What the table is, for screen readers. */
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  rowKey: (row: R) => string
  /** The record in words, for its tick and its menu: "invoice 1044". */
  rowName?: (row: R) => string
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
  onOpen?: (row: R) => void
  /** In place of that for the Enter key only: an action that no press beside its button may do by mistake. */
  onEnter?: (row: R) => void
  /** The record's own address: the strong cell becomes a link that can be opened in a new tab. */
  rowHref?: (row: R) => string | undefined
  menu?: (row: R) => MenuEntry[]
  /** Whether the cards of a phone have it too; not where what a card opens offers the same. */
  phoneMenu?: boolean
  density?: Density
  /** Cancelled: in light ink. */
  isOff?: (row: R) => boolean
  /** Just arrived: tinted for a second. */
  isNew?: (row: R) => boolean
  /** Opening balance and subtotals are no records: no cursor, no tick, weight 500 on the desk's ground. */
  isSum?: (row: R) => boolean
  /** Nothing to show yet: skeleton rows of the same height. Old rows stay while new ones come. */
  loading?: boolean
  skeletons?: number
  /** In place of the rows when there are none. */
  empty?: ReactNode
  /**
   * The list of the page: the arrow keys reach it from anywhere, and the one downwards from the search over
   * it.
   */
  main?: boolean
  /** Month heads with their totals between the phone's cards. */
  phoneGroup?: (row: R) => PhoneGroup
  /** Widths that somebody gave columns, in pixels by their keys; without it columns take what they need. */
  widths?: { of: Readonly<Record<string, number>>; onWidth: (key: string, width: number | undefined) => void }
  /** For a page that takes the cursor to a row itself; a phone's cards have none. */
  hand?: Ref<TableHand>
}

export interface TableHand {
  /** Puts the cursor into a row, drawn or not; without one where it last was. */
  goTo: (row?: number) => void
}
