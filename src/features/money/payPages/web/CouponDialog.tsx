import { useState } from 'react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeCoupon, createCoupon, getCoupon, stopCoupon, type CouponAnswer } from '../endpoints.ts'
import { coupons } from '../payPages.ts'
import { CouponFields, couponNames, freshTerms, termsOf } from './CouponFields.tsx'
import './editor.css'
import { CouponStatus, refreshPages } from './says.tsx'

/** A coupon: made, looked at, changed, stopped. */
export function CouponDialog({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(getCoupon, { id: id ?? '' }, { enabled: id !== undefined, staleTime: 0 })
  if (id !== undefined && !data)
    return error ? (
      <Dialog isOpen onClose={onClose} title={t('screens.coupons')}>
        <Note tone="late">{failureText(t, error)}</Note>
      </Dialog>
    ) : null
  return <Form before={data} onClose={onClose} />
}

function Form({ before, onClose }: { before: CouponAnswer | undefined; onClose: () => void }) {
  const t = useWords()
  const may = useCan()(coupons.allow.change)
  const hides = useSession()?.HideTotalPrices ?? false
  const [code, setCode] = useState(before?.code ?? '')
  const [terms, setTerms] = useState(before ? termsOf(before) : freshTerms)
  const stop = async () => {
    try {
      await call(stopCoupon, { id: before!.id, stopped: before!.state !== 'stopped' })
      await refreshPages()
      onClose()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <FormDialog
      title={before ? <bdi className="num">{before.code}</bdi> : t('coupons.new')}
      verb={may ? t('kit.forms.save') : undefined}
      names={couponNames}
      onClose={onClose}
      onSubmit={async () => {
        if (before) await call(changeCoupon, { id: before.id, code, ...terms })
        else await call(createCoupon, { code, ...terms })
        await refreshPages()
        onClose()
      }}
    >
      {(error) => (
        <>
          {before && (
            <p className="pe-line">
              <CouponStatus of={before.state} />
              <span>
                {t('coupons.fields.used')} <Num>{before.used}</Num>
                {before.usesMax !== null && (
                  <>
                    {' / '}
                    <Num>{before.usesMax}</Num>
                  </>
                )}
              </span>
              {!hides && (
                <span>
                  {t('coupons.fields.broughtAgorot')} <Money amount={before.broughtAgorot} />
                </span>
              )}
              {may && (
                <Button size="s" onPress={() => void stop()}>
                  {t(before.state === 'stopped' ? 'coupons.run' : 'coupons.stop')}
                </Button>
              )}
            </p>
          )}
          <TextField
            label={t('coupons.fields.code')}
            name="code"
            hint={t('coupons.codeHint')}
            value={code}
            onChange={setCode}
            max={40}
            ltr
            {...error('code', code)}
          />
          <CouponFields
            terms={terms}
            put={(change) => setTerms((now) => ({ ...now, ...change }))}
            error={error}
          />
        </>
      )}
    </FormDialog>
  )
}
