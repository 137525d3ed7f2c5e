import { defineErrors } from '../../kit/describe/errors.ts'
import { defineRules } from '../../kit/describe/session.ts'

defineRules({ 'ledger.see': 70, 'ledger.change': 71, 'reports.accounting': 72 })

defineErrors({ 'ledger.periodClosed': 422, 'ledger.notBalanced': 422, 'ledger.noAccount': 422, 'ledger.controlAccount': 422 })
