import { Copy, Mail, MailX, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner } from '#kit/web/parts/notices.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeMailAddress, getMailAddress } from '../endpoints.ts'

/** The address papers are mailed to: copied, turned on and off, made again. */
export function MailAddress({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useWords()
  const [asking, setAsking] = useState(false)
  const { data } = useCall(getMailAddress, {}, { enabled: isOpen })
  const change = useSend(changeMailAddress, {
    refresh: [getMailAddress],
    onError: (e) => void banner('late', failureText(t, e)),
  })
  const copy = useCopy()
  const on = data?.active && data.address
  return (
    <>
      <Dialog
        isOpen={isOpen && !asking}
        onClose={onClose}
        title={t('papers.mail.title')}
        actions={
          data?.mayChange && (
            <>
              {on && (
                <>
                  <Button
                    icon={MailX}
                    busy={change.isPending}
                    onPress={() => change.mutate({ active: false })}
                  >
                    {t('papers.mail.off')}
                  </Button>
                  <Button icon={RotateCw} onPress={() => setAsking(true)}>
                    {t('papers.mail.renew')}
                  </Button>
                </>
              )}
              {!on && (
                <Button
                  kind="primary"
                  icon={Mail}
                  busy={change.isPending}
                  onPress={() => change.mutate({ active: true })}
                >
                  {t('papers.mail.on')}
                </Button>
              )}
            </>
          )
        }
      >
        {!data ? (
          <Skeleton lines={2} />
        ) : (
          <div className="cp-mail">
            <p>{t('papers.mail.text')}</p>
            {on && (
              <div className="cp-address">
                <Num className="grow">{data.address}</Num>
                <Button icon={Copy} label={t('papers.mail.copy')} onPress={() => copy(data.address ?? '')} />
              </div>
            )}
            {on && !data.receiving && <Note tone="wait">{t('papers.mail.notReceiving')}</Note>}
            {!on && !data.mayChange && <Note>{t('papers.mail.askOwner')}</Note>}
          </div>
        )}
      </Dialog>
      <Question
        isOpen={asking}
        onClose={() => setAsking(false)}
        title={t('papers.mail.renewAsk')}
        verb={t('papers.mail.renew')}
        onConfirm={() => change.mutateAsync({ active: true, renew: true })}
      >
        {t('papers.mail.renewText')}
      </Question>
    </>
  )
}
