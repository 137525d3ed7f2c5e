import { FileClock, Mail } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { dressMore } from '#kit/web/screens/dress.ts'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import '#features/sales/documents/rules.ts'
import { openLetter, openStatement, type Addressee } from './open.tsx'

export const screens: Screen[] = []

const may = (rule: string) => mayDo(session(), rule)
const maySeeSums = () => may('reports.debts') && !session()?.HideTotalPrices
const addressee = (row: AnyRow): Addressee => ({
  id: row.id,
  name: String(row.name),
  email: (row.email as string | null) ?? null,
})

// Statements and letters to customers, offered where customers are.
dressMore('customers', {
  actions: (row, t) => [
    ...(maySeeSums() && !row.archivedAt
      ? [
          {
            key: 'statement',
            label: t('correspondence.statement'),
            icon: FileClock,
            onPress: () => openStatement([addressee(row)]),
          },
        ]
      : []),
    ...(may('documents.send') && !row.archivedAt
      ? [
          {
            key: 'letter',
            label: t('correspondence.letter'),
            icon: Mail,
            m: true,
            onPress: () => openLetter([addressee(row)]),
          },
        ]
      : []),
  ],
  bulk: (t) => [
    ...(maySeeSums() && may('documents.send')
      ? [
          {
            key: 'statement',
            label: t('correspondence.statement'),
            icon: FileClock,
            run: (rows: AnyRow[]) => openStatement(rows.map(addressee)),
          },
        ]
      : []),
    ...(may('documents.send')
      ? [
          {
            key: 'letter',
            label: t('correspondence.letter'),
            icon: Mail,
            run: (rows: AnyRow[]) => openLetter(rows.map(addressee)),
          },
        ]
      : []),
  ],
})
