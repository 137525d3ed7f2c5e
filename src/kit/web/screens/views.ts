import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Query } from './filters.ts'

/** A list's filters under a name of the person's own. */
export interface SavedView {
  id: string
  name: string
  query: Query
}

/** Who keeps the views. The kit knows no feature, so the one that keeps them says so here. */
export interface ViewStore {
  list: (list: string) => Promise<SavedView[]>
  save: (list: string, name: string, query: Query) => Promise<SavedView>
  drop: (list: string, id: string) => Promise<unknown>
}

let store: (() => Promise<ViewStore>) | undefined

/** `provideViews(() => import('./views.ts'))`, once, at the start. */
export function provideViews(open: () => Promise<ViewStore>): void {
  store = open
}

export interface SavedViews {
  /** Undefined where nobody keeps views. */
  views: readonly SavedView[]
  canSave: boolean
  save: (name: string, query: Query) => Promise<SavedView>
  drop: (id: string) => Promise<void>
}

/** The person's saved views of a list. */
export function useSavedViews(list: string, enabled: boolean): SavedViews {
  const client = useQueryClient()
  const key = ['views', list]
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => (await store!()).list(list),
    enabled: enabled && store !== undefined,
    staleTime: 5 * 60_000,
  })
  return {
    views: data ?? [],
    canSave: enabled && store !== undefined,
    save: async (name, query) => {
      const { save, drop } = await store!()
      const made = await save(list, name, query)
      // A name is one tab: the older view of that name makes way.
      const before = client.getQueryData<SavedView[]>(key) ?? []
      const twins = before.filter((one) => one.name === made.name && one.id !== made.id)
      await Promise.all(twins.map((one) => drop(list, one.id)))
      client.setQueryData<SavedView[]>(key, [...before.filter((one) => one.id !== made.id && !twins.includes(one)), made])
      return made
    },
    drop: async (id) => {
      await (await store!()).drop(list, id)
      client.setQueryData<SavedView[]>(key, (old = []) => old.filter((one) => one.id !== id))
    },
  }
}
