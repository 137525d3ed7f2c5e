import { Wand } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { codingRules } from '../codingRules.ts'
import { previewCodingRule } from '../endpoints.ts'
import './codingRules.css'

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Kinds of expense are few: they are chosen from a list, in the language of the screen. */
function TypeInput({ values: _, put: __, value, onChange, ...props }: DressedInputProps) {
  const { data } = useCall(expenseFacts, {}, { staleTime: 60_000 })
  return (
    <ChoiceField
      {...props}
      as="list"
      value={textOf(value)}
      onChange={onChange}
      choices={(data?.types ?? []).map((type) => ({
        value: type.id,
        label: type.name,
        hint: type.accountNumber,
      }))}
    />
  )
}

/** The place among the rules, and under it what the rule would have made of the bills of the last year. */
function PlaceInput({ values, put: _, value, onChange, ...props }: DressedInputProps) {
  return (
    <div className="cr-preview">
      <WholeField {...props} value={typeof value === 'number' ? value : null} onChange={onChange} />
      <Preview
        supplierId={textOf(values.supplierId)}
        contains={textOf(values.contains)}
        typeId={textOf(values.typeId)}
        vatShare={textOf(values.vatShare) as 'full' | null}
        projectId={textOf(values.projectId)}
      />
    </div>
  )
}

function Preview(of: {
  supplierId: string | null
  contains: string | null
  typeId: string | null
  vatShare: 'full' | 'twoThirds' | 'quarter' | 'none' | null
  projectId: string | null
}) {
  const t = useWords()
  const says = of.supplierId !== null || of.contains !== null
  const { data, error } = useCall(previewCodingRule, of, { enabled: says, placeholderData: (old) => old })
  if (!says) return null
  if (error) return <Note tone="wait">{failureText(t, error)}</Note>
  if (!data) return null
  return (
    <>
      <Note>
        {t('codingrules.preview.fits', { count: data.fits })}{' '}
        {data.fits > 0 && t('codingrules.preview.differs', { count: data.differs })}
      </Note>
      {data.rows.length > 0 && (
        <DataTable
          label={t('codingrules.preview.title')}
          density="dense"
          rows={data.rows}
          rowKey={(row) => row.id}
          rowName={(row) => row.supplier ?? row.details}
          columns={[
            {
              key: 'day',
              title: t('codingrules.preview.day'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <Num>{formatDay(row.day)}</Num>,
            },
            {
              key: 'supplier',
              title: t('codingrules.fields.supplierId'),
              strong: true,
              width: 'trim',
              phone: 'title',
              cell: (row) => <bdi>{row.supplier ?? row.details}</bdi>,
            },
            {
              key: 'type',
              title: t('codingrules.preview.was'),
              width: 'trim',
              cell: (row) => <bdi>{row.type}</bdi>,
            },
            {
              key: 'change',
              title: t('codingrules.preview.change'),
              width: 'fit',
              phone: 'state',
              cell: (row) =>
                row.newType !== null || row.vatShareDiffers || row.projectDiffers ? (
                  <StatusPill tone="info">
                    {row.newType ??
                      t(row.vatShareDiffers ? 'codingrules.preview.vat' : 'codingrules.preview.project')}
                  </StatusPill>
                ) : null,
            },
            {
              key: 'total',
              title: t('codingrules.preview.total'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <MoneyCell value={row.totalAgorot} />,
            },
          ]}
        />
      )}
    </>
  )
}

dress(codingRules, {
  icon: Wand,
  inputs: { typeId: TypeInput, place: PlaceInput },
  columns: {
    place: { width: 'fit' },
    name: { strong: true, width: '20%', phone: 'title' },
    supplierId: { width: 'trim', phone: 'line' },
    typeId: { width: 'trim', phone: 'line' },
  } as never,
})
