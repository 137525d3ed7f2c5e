import { getCompany } from '../companies/endpoints.ts'

/** The settings of the business say how many months its VAT period has. */
export const vatPeriodOfBusiness = getCompany
