import { FileText } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { call, failureText, fieldErrors, queryClient, useCall } from '#kit/web/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FileDrop, fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { maxOutsideBytes, uploadOutside } from '../endpoints.ts'
import './outside.css'

/** A PDF and for whom it is; it is checked and sealed at once. */
export function UploadDialog({ customerId, onClose }: { customerId?: string; onClose: () => void }) {
  const t = useWords()
  const form = useId()
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  const given = useCall(callsOf(customers).get, { id: customerId ?? '' }, { enabled: customerId !== undefined })
  const [chosen, setChosen] = useState<{ key: string; label: string } | null>()
  const customer = chosen === undefined && given.data ? { key: given.data.id, label: String(given.data.name) } : (chosen ?? null)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['name', 'customerId'])
    : { fields: {} as Record<string, string>, rest: undefined }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!file) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { id } = await call(uploadOutside, {
        name: name.trim() || file.name,
        ...(customer ? { customerId: customer.key } : {}),
        bytes: file,
      })
      void queryClient.invalidateQueries({ queryKey: ['outsideDocuments.list'] })
      onClose()
      go(`/invoice/documentoutside/${id}`)
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('outsideDocuments.new')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy} isDisabled={!file}>
            {t('outsideDocuments.seal')}
          </Button>
        </>
      }
    >
      <form id={form} className="ou-stack" onSubmit={(event) => void save(event)} noValidate>
        {rest && <Note tone="late">{rest || failureText(t, failure)}</Note>}
        <FileDrop
          accept="application/pdf,.pdf"
          limit={maxOutsideBytes}
          label={t('outsideDocuments.choose')}
          onFiles={([one]) => {
            if (!one) return
            setFile(one)
            setFailure(undefined)
            setName((before) => before || one.name.replace(/\.pdf$/i, '').slice(0, 200))
          }}
        >
          {t('outsideDocuments.choose')}
        </FileDrop>
        {file && (
          <p className="ou-file">
            <Icon of={FileText} />
            <bdi className="cut">{file.name}</bdi>
            <span className="hint">
              <Num>{fileSize(file.size)}</Num>
            </span>
          </p>
        )}
        <TextField label={t('outsideDocuments.fields.name')} value={name} onChange={setName} error={fields.name} max={200} />
        <RefField
          label={t('outsideDocuments.fields.customerId')}
          value={customer}
          onChange={(next) => setChosen(next)}
          optional
          clearable
          error={fields.customerId}
          search={async (q, signal) => {
            const { rows } = await call(callsOf(customers).list, { size: 10, q: q || undefined }, { signal })
            return rows.map((row) => ({ key: row.id, label: String(row.name), hint: (row.email as string | null) ?? undefined }))
          }}
        />
        <p className="hint text-13">{t('outsideDocuments.sealText')}</p>
      </form>
    </Dialog>
  )
}
