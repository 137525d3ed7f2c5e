import type { Company } from '../endpoints.ts'

/** The business as strangers see it; see `faceFields`. */
export const faceOf = ({ name, taxId, phone, email, accent, hasLogo }: Company) => ({
  business: { name, taxId, phone: phone ?? '', email: email ?? '' },
  accent,
  hasLogo,
})
