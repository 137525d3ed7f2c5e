import { registerMailFace } from '#kit/server/outside/mail.ts'
import { companyIn } from '../inLanguage.ts'
import { companyOf } from './company.ts'
import { logoOf } from './logo.ts'

registerMailFace(async (ctx, language) => {
  const [company, logo] = [await companyOf(ctx), await logoOf(ctx)]
  const { name, accent, phone, email, taxId } = companyIn(company, language ?? company.language)
  return {
    name,
    accent,
    ...(logo ? { logo } : {}),
    contact: [[name, taxId].filter(Boolean).join(' · '), [phone, email].filter(Boolean).join(' · ')],
  }
})
