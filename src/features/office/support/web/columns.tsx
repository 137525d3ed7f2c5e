import { formatMoment } from '#domain/format.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import type { Column } from '#kit/web/parts/DataTable.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import type { Words } from '#kit/web/words/words.tsx'
import type { TicketRow } from '../endpoints.ts'
import { Severity } from './says.tsx'

type Shown = Pick<TicketRow, 'number' | 'subject' | 'severity' | 'updatedAt'>

/** What a ticket says of itself in a list, for the person who asked and for the person who answers. */
export const ticketColumns = <Row extends Shown>(t: Words) =>
  ({
    number: {
      key: 'number',
      title: t('support.fields.number'),
      width: 'fit',
      cell: (row) => <Num>{row.number}</Num>,
    },
    subject: {
      key: 'subject',
      title: t('support.fields.subject'),
      strong: true,
      cell: (row) => <TextCell value={row.subject} />,
      phone: 'title',
    },
    severity: {
      key: 'severity',
      title: t('support.fields.severity'),
      width: 'fit',
      cell: (row) => <Severity of={row} />,
    },
    updatedAt: {
      key: 'updatedAt',
      title: t('support.fields.updatedAt'),
      width: 'fit',
      cell: (row) => <Num>{formatMoment(new Date(row.updatedAt))}</Num>,
    },
  }) satisfies Record<string, Column<Row>>
