/** Types of user who work in a business; an affiliate only sees the affiliate's earnings. */
export const inBusiness: readonly number[] = [4, 5, 6, 8, 9]

/**
 * A screen is a record: router, guard, menu, the printed list of screens and the walk that opens every screen read
 * it. `guest` screens (log-in, sign-up, resets) send a logged-in person to the main page; `anyone` opens always;
 * `login` needs a session.
 */
export interface Screen {
  /** Words: `screens.<name>`. */
  name: string
  /** With `$id` for a part; matched without regard to case. */
  path: string
  open: 'guest' | 'anyone' | 'login'
  /** Types of user; every type when absent. */
  users?: readonly number[]
  rule?: string
  /** The area of the product it belongs to, where its rule does not say so. */
  area?: string
  /** Paid module that must be bought. */
  module?: string
  feature: string
  /** Its place in the menu, when it has one. */
  menu?: { group: MenuGroup; icon: string; order: number; pinned?: boolean; more?: boolean }
  /**
   * Its place in the hub of settings: once for each of its parts. Screens of the settings menu are there without
   * saying so.
   */
  settings?: readonly SettingsPlace[]
  /**
   * One that opens for anyone and has no rule, and yet belongs into the application's frame for the person who is
   * in.
   */
  inside?: boolean
  /** Without the frame (header, panel). */
  bare?: boolean
  /** The component comes when the screen is opened; the module exports it as `Screen`. */
  load: () => Promise<{ Screen: unknown }>
  /** Asks for what the screen shows first, while its code is on the way. */
  ahead?: () => Promise<void>
}

export const settingsGroups = [
  'business',
  'documents',
  'security',
  'people',
  'connections',
  'lists',
  'me',
  'trace',
  'other',
] as const

/**
 * One place where something can be set. Its words are `companies.hub.<key>.title`, `.text` and, where there
 * are other names for it, `.also`.
 */
export interface SettingsPlace {
  key: string
  group: (typeof settingsGroups)[number]
  order: number
  /** The part of the screen: 'tab=numbering'. */
  query?: string
  /** Beginnings of word keys: the fields by whose names it is found. */
  finds?: readonly string[]
}

export const menuGroups = [
  'home',
  'sales',
  'money',
  'people',
  'purchases',
  'stock',
  'books',
  'tax',
  'reports',
  'calendar',
  'building',
  'team',
  'settings',
  'help',
] as const
export type MenuGroup = (typeof menuGroups)[number]
