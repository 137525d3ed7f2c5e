import { sql } from 'kysely'
import type { Ctx } from './context.ts'
import type { Tx } from './db.ts'

/** The partner under whose name a business uses the product. */
export interface BrandOfBusiness {
  domain: string
  name: string
  /** In whose name its letters go; empty for the business's own, or the brand's. */
  mailName: string
  /** From which address they go; empty for the installation's. */
  mailFrom: string
  supportEmail: string
  pageIds: string[]
}

/** The brand of a business; undefined for most, which use the product under its own name. */
export async function brandOf({ tx, companyId }: Pick<Ctx, 'companyId'> & { tx: Tx }): Promise<BrandOfBusiness | undefined> {
  const { rows } = await sql<BrandOfBusiness>`select b.domain, b.name, b.mail_name as "mailName", b.mail_from as "mailFrom",
      b.support_email as "supportEmail", b.page_ids as "pageIds"
    from companies c join brands b on b.domain = c.brand where c.id = ${companyId} and b.is_dealer`.execute(tx)
  return rows[0]
}
