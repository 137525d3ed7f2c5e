import { Copy } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '#domain/day.ts'
import { call, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import type { ReportActionProps } from '#kit/web/screens/reportActions.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { createShare, listShares, type Share } from '../endpoints.ts'
import './shares.css'

const usualDays = 30

/**
 * Gives a report, exactly as it is seen, to somebody outside: a link, a password that goes another way, and a
 * day on which it ends.
 */
export function ShareDialog({ report, query, title: name, onClose }: ReportActionProps) {
  const t = useWords()
  const today = useToday()
  const copy = useCopy()
  const [title, setTitle] = useState(name)
  const [password, setPassword] = useState('')
  const [expiresOn, setExpiresOn] = useState<string | null>(addDays(today, usualDays))
  const [frozen, setFrozen] = useState(false)
  const [made, setMade] = useState<Share>()
  if (made)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={t('reportShares.made')}
        actions={
          <>
            <Button kind="quiet" onPress={onClose}>
              {t('kit.actions.close')}
            </Button>
            <Button kind="primary" icon={Copy} onPress={() => copy(made.url)}>
              {t('reportShares.copy')}
            </Button>
          </>
        }
      >
        <p className="rs-link">
          <bdi>{made.url}</bdi>
        </p>
        <p className="hint">{t('reportShares.madeText')}</p>
      </Dialog>
    )
  return (
    <FormDialog
      title={t('reportShares.share')}
      verb={t('reportShares.give')}
      names={['title', 'password', 'expiresOn']}
      onClose={onClose}
      onSubmit={async () => {
        setMade(
          await call(createShare, { report, query, title, password, expiresOn: expiresOn ?? '', frozen }),
        )
        void queryClient.invalidateQueries({ queryKey: keyOf(listShares) })
      }}
    >
      {(error) => (
        <>
          <p className="hint">{t('reportShares.shareText')}</p>
          <TextField
            label={t('reportShares.fields.title')}
            name="title"
            value={title}
            onChange={setTitle}
            {...error('title', title)}
          />
          <PasswordField
            label={t('reportShares.fields.password')}
            hint={t('reportShares.passwordHint')}
            name="password"
            isNew
            value={password}
            onChange={setPassword}
            {...error('password', password)}
          />
          <DayField
            label={t('reportShares.fields.expiresOn')}
            name="expiresOn"
            value={expiresOn}
            onChange={setExpiresOn}
            {...error('expiresOn', expiresOn)}
          />
          <FlagField
            label={t('reportShares.fields.frozen')}
            hint={t('reportShares.frozenHint')}
            value={frozen}
            onChange={setFrozen}
          />
        </>
      )}
    </FormDialog>
  )
}
