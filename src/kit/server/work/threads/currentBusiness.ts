import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../data/db.ts'

/** The partner under whose name a business uses the product. */
export interface Brand {
  domain: string
  name: string
  /** In whose name its letters go; empty for the business's own, or the brand's. */
  mailName: string
  /** From which address they go; empty for the installation's. */
  mailFrom: string
  supportEmail: string
  pageIds: string[]
  /** Its domain was seen to lead here: links go there. */
  isSiteProved: boolean
  /** The owner of its sender's domain said that letters may leave in its name. */
  isMailProved: boolean
  /** PNG, as drawn here. */
  logo: Buffer | null
  /** Its custom words, by language and key. */
  words: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>>
}

/** The business inside which code works, and the brand it uses the product under. */
interface Inside {
  companyId: string
  brand: Brand | undefined
}

/**
 * The business inside which the running code works, so that what is shared by all is shared out fairly, and
 * what leaves it bears its brand, without everybody passing a name along.
 */
const inside = new AsyncLocalStorage<Inside>()

export const asBusiness = <T>(
  companyId: string,
  brand: Brand | undefined,
  work: () => Promise<T>,
): Promise<T> => inside.run({ companyId, brand }, work)

/** Work whose letters bear a brand, or none, whatever business it happens in. */
export const underBrand = <T>(brand: Brand | undefined, work: () => Promise<T>): Promise<T> =>
  inside.run({ companyId: currentBusiness(), brand }, work)

/** Empty outside any business. */
export const currentBusiness = (): string => inside.getStore()?.companyId ?? ''

/** Undefined for most, who use the product under its own name. */
export const brandHere = (): Brand | undefined => inside.getStore()?.brand

type Find = (app: { db: Database }, companyId: string) => Promise<Brand | undefined>
let find: Find = () => Promise.resolve(undefined)

/** How the brand of a business is found. */
export const registerBrands = (how: Find): void => void (find = how)

export const brandOfBusiness: Find = (app, companyId) => find(app, companyId)
