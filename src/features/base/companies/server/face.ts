import type { Company } from '../endpoints.ts'
import { companyIn } from '../inLanguage.ts'

/** The business as strangers see it, by its name in their language where one is known; see `faceFields`. */
export function faceOf(company: Company, language: string = company.language) {
  const { name, taxId, phone, email, accent, hasLogo } = companyIn(company, language)
  return { business: { name, taxId, phone: phone ?? '', email: email ?? '' }, accent, hasLogo }
}

/** The head of a document in a language: who the business is and how its documents look. */
export const headOf = (own: Company, language: string) => {
  const company = companyIn(own, language)
  return {
    name: company.name,
    kind: company.kind,
    taxId: company.taxId,
    street: company.street,
    city: company.city,
    zip: company.zip,
    phone: company.phone,
    email: company.email,
    website: company.website,
    bankDetails: company.bankDetails,
    ...(company.iban ? { iban: company.iban } : {}),
    ...(company.swift ? { swift: company.swift } : {}),
    layout: company.layout,
    accent: company.accent,
  }
}

/**
 * Who writes, at the head of a letter and of what is set like one; what the business left empty is not there.
 */
export const businessOnPaper = (company: Company, logo: { bytes: Buffer } | undefined, language: string) => {
  const { name, kind, taxId, street, city, zip, phone, email, website } = companyIn(company, language)
  return {
    name,
    kind,
    taxId,
    address: [[street, [city, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')].filter(Boolean),
    ...(phone ? { phone } : {}),
    ...(email ? { email } : {}),
    ...(website ? { website } : {}),
    ...(logo ? { logo: logo.bytes } : {}),
  }
}
