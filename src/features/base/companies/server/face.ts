import type { Company } from '../endpoints.ts'

/** The business as strangers see it; see `faceFields`. */
export const faceOf = ({ name, taxId, phone, email, accent, hasLogo }: Company) => ({
  business: { name, taxId, phone: phone ?? '', email: email ?? '' },
  accent,
  hasLogo,
})

/** The head of a paper: who the business is and how its papers look. */
export const headOf = (company: Company) => ({
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
  layout: company.layout,
  accent: company.accent,
})

/** Who writes, at the head of a letter and of what is set like one; what the business left empty is not there. */
export const businessOnPaper = (
  { name, kind, taxId, street, city, zip, phone, email, website }: Company,
  logo: { bytes: Buffer } | undefined,
) => ({
  name,
  kind,
  taxId,
  address: [[street, [city, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')].filter(Boolean),
  ...(phone ? { phone } : {}),
  ...(email ? { email } : {}),
  ...(website ? { website } : {}),
  ...(logo ? { logo: logo.bytes } : {}),
})
