import { useState } from 'react'
import { call, failureText, putAnswer, useCall } from '#kit/web/calls/call.ts'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getFactorRule, setFactorRule } from '../endpoints.ts'

/** Requires the second step of everybody in the business, or no longer; by the owner's password. */
export function FactorRule({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data, error: failed } = useCall(getFactorRule, {}, { staleTime: 0 })
  const [password, setPassword] = useState('')
  const save = async () => {
    if (!data) return
    putAnswer(getFactorRule, {}, await call(setFactorRule, { required: !data.required, password }))
    banner.success(t('team.factor.saved'))
    onClose()
  }
  return (
    <FormDialog
      title={t('team.factor.title')}
      verb={data && t(data.required ? 'team.factor.release' : 'team.factor.require')}
      danger={data?.required ?? false}
      names={['password']}
      onClose={onClose}
      onSubmit={save}
    >
      {(error) =>
        data ? (
          <>
            <p>{t(data.required ? 'team.factor.on' : 'team.factor.off')}</p>
            {!data.required && data.without > 0 && (
              <Note tone="info">{t('team.factor.without', { count: data.without })}</Note>
            )}
            <PasswordField
              label={t('team.factor.password')}
              value={password}
              onChange={setPassword}
              {...error('password', password)}
            />
          </>
        ) : failed ? (
          <Note tone="late">{failureText(t, failed)}</Note>
        ) : (
          <Skeleton lines={3} />
        )
      }
    </FormDialog>
  )
}
