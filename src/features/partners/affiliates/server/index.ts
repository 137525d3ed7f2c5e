import { onSignUp } from '#features/base/companies/server/index.ts'
import { setAffiliatesViews } from '#features/base/session/endpoints.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Report } from '#kit/server/described/reports.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { decide, savePlan, setState, showAll, takeAccount } from './manage.ts'
import { saveBrand, wearBrand } from './brands.ts'
import { brandLogo, dropBrandLogo, setBrandLogo } from './logo.ts'
import { brandProof, proveBrand } from './prove.ts'
import { dropLink, makeLink, saveAccount, showMine, wayIn } from './mine.ts'
import { setPayDay } from './monthly.ts'
import { payOut } from './pay.ts'
import { affiliateReport } from './report.ts'
import { follow, showProgramme, signUpAff } from './signUp.ts'
import { countView } from './views.ts'

onSignUp(async (ctx, { companyId, given }) => {
  const { email: mail, phone = '', business } = given
  // Under a dealer's brand a business is credited to the dealer, no matter through whom else it heard of the product.
  const code = (given.domain && (await wearBrand(ctx, companyId, given.domain))) || given.aff
  if (code) await follow(ctx, { companyId, code, mail, phone, taxId: business.taxId })
})

export { jobs } from './askAgain.ts'
export { start } from './sweep.ts'
export { demoDealer, showAffiliates } from './demo.ts'
export { forgetOperator } from './operator.ts'

export const reports: Report[] = [affiliateReport]

export const implementations = [
  implementOpen(setAffiliatesViews, countView),
  implementOpen(calls.programme, showProgramme),
  implementOpen(calls.signUpAff, signUpAff),
  implement(calls.myAffiliate, showMine),
  implement(calls.makeLink, makeLink),
  implement(calls.dropLink, dropLink),
  implement(calls.saveAccount, saveAccount),
  implement(calls.dealerWayIn, wayIn),
  implement(calls.listAffiliates, showAll),
  implement(calls.savePlan, savePlan),
  implement(calls.payAffiliates, payOut),
  implement(calls.setPayDay, setPayDay),
  implement(calls.decideSignup, decide),
  implement(calls.setAffiliate, setState),
  implement(calls.takeAccount, takeAccount),
  implement(calls.saveBrand, saveBrand),
  implement(calls.setBrandLogo, setBrandLogo),
  implement(calls.dropBrandLogo, dropBrandLogo),
  implement(calls.proveBrand, proveBrand),
  implementOpen(calls.brandLogo, brandLogo),
  implementOpen(calls.brandProof, brandProof),
]

export const machines: Machines = {
  'affiliates.brandMail': { inside: 'notifies a dealer whose domain does not answer' },
  'schedule duePayDays': { orders: ['affiliatePayDays'] },
  'timer sweep.ts': { inside: 'counts commissions; they are paid within affiliatePayDays' },
}
