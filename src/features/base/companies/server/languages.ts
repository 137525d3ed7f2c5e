import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { refuseUnprintable } from '#kit/server/paper/printable.ts'
import type { Company, CompanyInLanguage } from '../endpoints.ts'
import { detailsIn } from '../inLanguage.ts'
import { changeCompany, companyOf } from './company.ts'

/**
 * Keeps what the business is called in a language of its documents. Issued documents keep what they were issued with;
 * all fields empty mean that its own details are printed as they are.
 */
export async function setLanguage(
  ctx: Ctx,
  { language, iban, swift, ...details }: CompanyInLanguage,
): Promise<Company> {
  refuseUnprintable(details)
  const company = await companyOf(ctx)
  if (language === company.language) throw failField('language', 'fields.choice')
  await sql`insert into company_languages (company_id, language, name, street, city, bank_details)
    values (${ctx.companyId}, ${language}, ${details.name}, ${details.street}, ${details.city},
      ${details.bankDetails})
    on conflict (company_id, language) do update set name = excluded.name, street = excluded.street,
      city = excluded.city, bank_details = excluded.bank_details, updated_at = now()`.execute(ctx.tx)
  await ctx.audit(
    'companies.setLanguage',
    'companies',
    ctx.companyId,
    { ...detailsIn(company, language) },
    { language, ...details },
  )
  const account = { ...(iban === undefined ? {} : { iban }), ...(swift === undefined ? {} : { swift }) }
  return Object.keys(account).length ? changeCompany(ctx, account) : companyOf(ctx)
}
