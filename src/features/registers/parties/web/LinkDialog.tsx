import { Copy, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getLink, makeLink, switchLink } from '../endpoints.ts'
import './parties.css'

/** The link by which customers register themselves: copied, turned off and on, made again. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const { data, error } = useCall(getLink, {})
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const [asks, setAsks] = useState(false)
  const run = async (work: () => Promise<OutputOf<typeof getLink>>) => {
    setBusy(true)
    setFailed(undefined)
    try {
      putAnswer(getLink, {}, await work())
    } catch (e) {
      setFailed(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  const problem = failed ?? (error ? failureText(t, error) : undefined)
  return (
    <Dialog isOpen form onClose={onClose} title={t('customers.link.title')}>
      <div className="pa-link">
        <p className="sub">{t('customers.link.text')}</p>
        {problem && <Note tone="late">{problem}</Note>}
        {!data ? (
          <Skeleton lines={2} />
        ) : data.url === null ? (
          <div>
            <Button kind="primary" busy={busy} onPress={() => void run(() => call(makeLink, {}))}>
              {t('customers.link.make')}
            </Button>
          </div>
        ) : (
          <>
            <TextField
              label={t('customers.link.address')}
              value={data.url}
              onChange={() => undefined}
              readOnly
              ltr
            />
            <div className="pa-bar">
              <Button kind="primary" icon={Copy} onPress={() => copy(data.url!)}>
                {t('kit.copy.copy')}
              </Button>
              {data.isOn && (
                <Button
                  icon={ExternalLink}
                  onPress={() => void window.open(data.url!, '_blank', 'noreferrer')}
                >
                  {t('customers.link.look')}
                </Button>
              )}
              <Button kind="quiet" busy={busy} onPress={() => setAsks(true)}>
                {t('customers.link.again')}
              </Button>
            </div>
            <FlagField
              label={t('customers.link.isOn')}
              hint={t('customers.link.isOnHint')}
              value={data.isOn}
              onChange={(isOn) => void run(() => call(switchLink, { isOn }))}
            />
          </>
        )}
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('customers.link.ask')}
        verb={t('customers.link.again')}
        danger
        onConfirm={() => run(() => call(makeLink, {}))}
      >
        {t('customers.link.askText')}
      </Question>
    </Dialog>
  )
}
