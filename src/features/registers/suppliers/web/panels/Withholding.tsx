import { Paperclip } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatPercent } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { FileField } from '#kit/web/fields/FileField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { getFile, uploadFile } from '#features/base/files/endpoints.ts'
import { withholdingOfSupplier } from '../../endpoints.ts'
import { withholdingCertificates, type Certificate } from '../../withholdingCertificates.ts'
import '../suppliers.css'

/** What is withheld from the supplier today and why, and the certificates, the newest first. */
export function Withholding({ row }: { row: AnyRow }) {
  const t = useWords()
  const { lang } = useLanguage()
  const { data } = useCall(withholdingOfSupplier, { id: row.id })
  return (
    <div className="su-stack">
      {data && (
        <Note tone={data.reason === 'certificate' ? 'done' : 'wait'}>
          {t('suppliers.withholdsToday', { rate: formatPercent(data.rateBp, lang) })}{' '}
          {data.reason === 'certificate' && data.validTo
            ? t('suppliers.reason.certificateTo', { day: formatDay(data.validTo) })
            : t(`suppliers.reason.${data.reason}`)}
        </Note>
      )}
      <ListScreen
        resource={withholdingCertificates}
        embedded
        archive={row.archivedAt === null}
        fixed={{ supplierId: row.id }}
      />
    </div>
  )
}

/** The paper itself goes to the supplier's files; the certificate points at it. */
function PaperInput({ values, put: _, value, onChange, label, hint, optional }: DressedInputProps) {
  const t = useWords()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  if (value)
    return (
      <div className="su-acts">
        <OpenPaper id={String(value)} />
        <Button kind="quiet" size="s" onPress={() => onChange(null)}>
          {t('kit.actions.remove')}
        </Button>
      </div>
    )
  const take = (file: File | null) => {
    if (!file || busy) return
    setBusy(true)
    setError(undefined)
    call(uploadFile, {
      name: file.name,
      bytes: file,
      entity: 'suppliers',
      entityId: String(values.supplierId),
    })
      .then(({ id }) => onChange(id))
      .catch((e: unknown) => setError(failureText(t, e)))
      .finally(() => setBusy(false))
  }
  return (
    <FileField
      label={label}
      value={null}
      onChange={take}
      accept=".pdf,image/jpeg,image/png"
      {...(hint ? { hint } : {})}
      {...(optional ? { optional } : {})}
      {...(error ? { error } : {})}
    />
  )
}

function OpenPaper({ id }: { id: string }) {
  const t = useWords()
  const fetchFile = useFile()
  return (
    <Button
      kind="quiet"
      size="s"
      icon={Paperclip}
      onPress={() => void fetchFile(getFile, { id, inline: 'true' }, { open: true })}
    >
      {t('withholdingCertificates.openPaper')}
    </Button>
  )
}

dress(withholdingCertificates, {
  inputs: { fileId: PaperInput },
  cells: { fileId: ({ value }: { value: string | null }) => (value ? <OpenPaper id={value} /> : null) },
  columns: {
    fromDay: { phone: 'title' },
    toDay: { phone: 'line' },
    source: { phone: 'state' },
    rateBp: { phone: 'amount' },
    ceilingAgorot: { phone: 'line' },
    fileId: { sort: false, width: 'fit' },
  },
  rowName: (row: Certificate, t) =>
    t('withholdingCertificates.rowName', { from: formatDay(row.fromDay), to: formatDay(row.toDay) }),
})
