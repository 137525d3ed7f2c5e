import { createStore, del, get, set } from 'idb-keyval'
import type { Edited } from './model.ts'

/**
 * What this device keeps of a document being written, in case the tab is shut or the network goes before the
 * server has it.
 */
export interface Copy {
  edited: Edited
  at: string
}

let opened: ReturnType<typeof createStore> | undefined
const drafts = () => (opened ??= createStore('pinkas-drafts', 'drafts'))
const keyOf = (companyId: string, id: string | undefined) => `${companyId}/${id ?? 'new'}`

// A private window may have no store at all; the server's draft is the real one.
const quietly = async <T>(deed: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await deed()
  } catch {
    return undefined
  }
}

export const readCopy = (companyId: string, id: string | undefined): Promise<Copy | undefined> =>
  quietly(() => get<Copy>(keyOf(companyId, id), drafts()))
export const keepCopy = (companyId: string, id: string | undefined, edited: Edited): Promise<void> =>
  quietly(() =>
    set(keyOf(companyId, id), { edited, at: new Date().toISOString() } satisfies Copy, drafts()),
  ) as Promise<void>
export const dropCopy = (companyId: string, id: string | undefined): Promise<void> =>
  quietly(() => del(keyOf(companyId, id), drafts())) as Promise<void>
