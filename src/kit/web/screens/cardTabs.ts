import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { AnyRow } from './resources.ts'
import { fetchPart } from '../calls/fetchPart.ts'

export interface CardTab {
  /** The last part of the tab's address. */
  key: string
  /** Word key. */
  word: string
  /** Needed right. */
  rule?: string
  /** The smaller, the earlier; details stand first. */
  order?: number
  Panel: ComponentType<{ row: AnyRow }> | LazyExoticComponent<ComponentType<{ row: AnyRow }>>
}

const registered = new Map<string, CardTab[]>()

/**
 * Puts a tab on another feature's card: `registerCardTab('customers', { key: 'documents', word:
 * 'documents.title', load: () => import('./Tab.tsx') })`, in web/screens.ts. The module exports its component
 * as `Panel`.
 */
export function registerCardTab(
  resource: string,
  {
    load,
    ...tab
  }: Omit<CardTab, 'Panel'> & { load: () => Promise<{ Panel: ComponentType<{ row: AnyRow }> }> },
): void {
  const Panel = lazy(() => fetchPart(load).then(({ Panel }) => ({ default: Panel })))
  const tabs = (registered.get(resource) ?? []).filter((one) => one.key !== tab.key)
  registered.set(resource, [...tabs, { ...tab, Panel }])
}

export const tabsOf = (resource: string): readonly CardTab[] => registered.get(resource) ?? []
