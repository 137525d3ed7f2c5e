import { AsyncLocalStorage } from 'node:async_hooks'

/** The business inside which the running code works, so that what is shared by all is shared out fairly without everybody passing a name along. */
const inside = new AsyncLocalStorage<string>()

export const workingFor = <T>(companyId: string, work: () => Promise<T>): Promise<T> => inside.run(companyId, work)

/** Empty outside any business. */
export const whose = (): string => inside.getStore() ?? ''
