import '../rules.ts'
import { vat } from './reports/vat.ts'

export const reports = [vat]
