import { FilePlus2, Users } from 'lucide-react'
import { dress } from '../../../kit/web/screens/dress.ts'
import { customers } from '../customers.ts'
import { DueTermsCell, DueTermsInput } from './DueTerms.tsx'

/** A new document for a customer. */
export const newDocumentPath = (customerId: string): string => `/invoice/InvoiceDocument?customer=${customerId}`

dress(customers, {
  icon: Users,
  inputs: { dueTerms: DueTermsInput },
  cells: { dueTerms: DueTermsCell },
  columns: { city: { width: 'fit' } },
  actions: (row, t) => [{ key: 'document', label: t('documents.new'), icon: FilePlus2, href: newDocumentPath(row.id) }],
})
