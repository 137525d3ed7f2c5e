import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCan } from '../session/session.ts'
import type { Query } from './filters.ts'

/** A list's filters under a name of the person's own. */
export interface SavedView {
  id: string
  name: string
  query: Query
  /** Everybody's in the business. */
  isShared: boolean
  mayDrop: boolean
}

/** Who keeps the views. The kit knows no feature, so the one that keeps them says so here. */
export interface ViewStore {
  list: (list: string) => Promise<SavedView[]>
  save: (list: string, name: string, query: Query, isShared: boolean) => Promise<SavedView>
  drop: (list: string, id: string) => Promise<unknown>
}

let store: (() => Promise<ViewStore>) | undefined

/** The rule of the person who makes a view everybody's. */
let ruleOfSharing: string | undefined

/** `provideViews(() => import('./views.ts'), 'companies.shareViews')`, once, at the start. */
export function provideViews(open: () => Promise<ViewStore>, sharing: string): void {
  store = open
  ruleOfSharing = sharing
}

export interface SavedViews {
  /** Undefined where nobody keeps views. */
  views: readonly SavedView[]
  canSave: boolean
  canShare: boolean
  save: (name: string, query: Query, isShared?: boolean) => Promise<SavedView>
  drop: (id: string) => Promise<void>
}

/** The person's saved views of a list. */
export function useSavedViews(list: string, enabled: boolean): SavedViews {
  const client = useQueryClient()
  const may = useCan()
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
    canShare: ruleOfSharing !== undefined && may(ruleOfSharing),
    save: async (name, query, isShared = false) => {
      const { save, drop } = await store!()
      const made = await save(list, name, query, isShared)
      // A name is one tab of a person's own, or of everybody's: the older view of that name makes way.
      const before = client.getQueryData<SavedView[]>(key) ?? []
      const twins = before.filter(
        (one) =>
          one.name === made.name && one.id !== made.id && one.isShared === made.isShared && one.mayDrop,
      )
      await Promise.all(twins.map((one) => drop(list, one.id)))
      // A fetch under way began before the change.
      void client.cancelQueries({ queryKey: key })
      client.setQueryData<SavedView[]>(key, [
        ...before.filter((one) => one.id !== made.id && !twins.includes(one)),
        made,
      ])
      return made
    },
    drop: async (id) => {
      await (await store!()).drop(list, id)
      void client.cancelQueries({ queryKey: key })
      client.setQueryData<SavedView[]>(key, (old = []) => old.filter((one) => one.id !== id))
    },
  }
}
