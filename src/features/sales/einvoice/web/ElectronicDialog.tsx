import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { callFile, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { documentName } from '#features/sales/documents/web/index.tsx'
import type { DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { customers } from '#features/registers/parties/customers.ts'
import { checkElectronicInvoice, electronicInvoice, type Format } from '../endpoints.ts'
import './einvoice.css'

const offered: readonly Format[] = ['facturx', 'ubl', 'cii']
/** What a customer's record can still mend on a document that never changes. */
const mendedThere = new Set(['buyerCountry'])

/**
 * The forms in which the invoice can be had; when a rule of the standard would be broken, what is missing and
 * where to fill it in.
 */
export function ElectronicDialog({ document, onClose }: { document: DocumentAnswer; onClose: () => void }) {
  const t = useWords()
  const may = useCan()
  // Whatever was mended in another window counts at once.
  const { data, error } = useCall(checkElectronicInvoice, { id: document.id }, { staleTime: 0 })
  const [busy, setBusy] = useState<Format>()
  const [failure, setFailure] = useState<unknown>()
  const download = async (format: Format) => {
    setBusy(format)
    setFailure(undefined)
    try {
      await callFile(electronicInvoice, { id: document.id, format })
    } catch (e) {
      setFailure(e)
    } finally {
      setBusy(undefined)
    }
  }
  const record =
    data?.customerId && may(customers.allow.change)
      ? customers.screens.card!.replace('$id/details', `${data.customerId}/edit`)
      : undefined
  return (
    <Dialog isOpen onClose={onClose} form title={t('einvoice.title')}>
      <div className="grid gap-4">
        <p className="hint">
          {documentName(t, document.type, document.number)} · {t('einvoice.about')}
        </p>
        {(failure ?? error) ? <Note tone="late">{failureText(t, failure ?? error)}</Note> : null}
        {!data && !error && <Skeleton lines={3} />}
        {data && data.faults.length > 0 && (
          <Note tone="wait">
            <strong>{t('einvoice.missing')}</strong>
            <ul className="ei-faults">
              {data.faults.map((fault, i) => (
                <li key={i}>
                  {t(`errors.einvoice.missing.${fault.place}`)}{' '}
                  <span className="hint">
                    {fault.line !== null && `${t('einvoice.line', { line: fault.line })} · `}
                    <Num>{fault.rule}</Num>
                  </span>
                  {record && mendedThere.has(fault.place) && (
                    <>
                      {' '}
                      <Link className="link" href={record} onPress={onClose}>
                        {t('einvoice.mend')}
                      </Link>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </Note>
        )}
        {data?.faults.length === 0 && (
          <ul className="ei-forms">
            {offered.map((format) => (
              <li key={format}>
                <span className="grow">
                  <span className="t">{t(`einvoice.formats.${format}`)}</span>
                  <span className="hint">{t(`einvoice.hints.${format}`)}</span>
                </span>
                <Button
                  icon={Download}
                  size="s"
                  busy={busy === format}
                  label={`${t('einvoice.download')}: ${t(`einvoice.formats.${format}`)}`}
                  onPress={() => void download(format)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
