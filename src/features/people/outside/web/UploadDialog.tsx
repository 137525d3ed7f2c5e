import { useState } from 'react'
import { call, queryClient, useCall } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { go } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { UploadPdf } from '#features/sales/signing/web/index.tsx'
import { maxOutsideBytes, uploadOutside } from '../endpoints.ts'

/** A PDF and for whom it is; it is checked and sealed at once. */
export function UploadDialog({ customerId, onClose }: { customerId?: string; onClose: () => void }) {
  const t = useWords()
  const given = useCall(
    callsOf(customers).get,
    { id: customerId ?? '' },
    { enabled: customerId !== undefined },
  )
  const [chosen, setChosen] = useState<{ key: string; label: string } | null>()
  const customer =
    chosen === undefined && given.data
      ? { key: given.data.id, label: String(given.data.name) }
      : (chosen ?? null)
  return (
    <UploadPdf
      title={t('outsideDocuments.new')}
      verb={t('outsideDocuments.seal')}
      choose={t('outsideDocuments.choose')}
      nameLabel={t('outsideDocuments.fields.name')}
      hint={t('outsideDocuments.sealText')}
      limit={maxOutsideBytes}
      names={['customerId']}
      onClose={onClose}
      onUpload={async (file) => {
        const { id } = await call(uploadOutside, {
          ...file,
          ...(customer ? { customerId: customer.key } : {}),
        })
        void queryClient.invalidateQueries({ queryKey: ['outsideDocuments.list'] })
        onClose()
        go(`/invoice/documentoutside/${id}`)
      }}
    >
      {(refusal) => (
        <RefField
          label={t('outsideDocuments.fields.customerId')}
          value={customer}
          onChange={(next) => setChosen(next)}
          optional
          clearable
          {...refusal('customerId', customer)}
          search={async (q, signal) => {
            const { rows } = await call(callsOf(customers).list, { size: 10, q: q || undefined }, { signal })
            return rows.map((row) => ({
              key: row.id,
              label: String(row.name),
              hint: (row.email as string | null) ?? undefined,
            }))
          }}
        />
      )}
    </UploadPdf>
  )
}
