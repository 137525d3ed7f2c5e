import { Pencil, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { languageNames } from '#kit/web/words/language.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { keepOrderWords, listOrderWords, type OrderLetter } from '../endpoints.ts'

type Language = keyof typeof languageNames

/**
 * What customers are written of their orders: the ready words, or the business's own, language by language.
 */
export function Letters() {
  const t = useWords()
  const may = useCan()('standingOrders.change')
  const [language, setLanguage] = useState<Language>(useLanguage().lang)
  const { data, error } = useCall(listOrderWords, { language })
  const [edits, setEdits] = useState<OrderLetter>()
  const back = (letter: OrderLetter['letter']) =>
    void call(keepOrderWords, { letter, language, words: null })
      .then((answer) => putAnswer(listOrderWords, { language }, answer))
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <Card title={t('standingOrders.letters.title')} hint={t('standingOrders.letters.hint')}>
      <div className="so-form">
        <ChoiceField
          label={t('standingOrders.fields.language')}
          value={language}
          onChange={(value) => value && setLanguage(value)}
          choices={(Object.keys(languageNames) as Language[]).map((value) => ({
            value,
            label: languageNames[value],
          }))}
        />
        {error && !data ? (
          <Note tone="late">{failureText(t, error)}</Note>
        ) : !data ? (
          <Skeleton lines={6} />
        ) : (
          <ul className="so-coming">
            {data.rows.map((one) => (
              <li key={one.letter}>
                <span>
                  <b>{t(`standingOrders.letters.${one.letter}`)}</b>{' '}
                  {one.isOwn && <StatusPill tone="info">{t('standingOrders.letters.own')}</StatusPill>}
                </span>
                {may && (
                  <span className="so-acts">
                    <Button
                      size="s"
                      kind="quiet"
                      icon={Pencil}
                      label={`${t('kit.lists.edit')} ${t(`standingOrders.letters.${one.letter}`)}`}
                      onPress={() => setEdits(one)}
                    />
                    {one.isOwn && (
                      <Button
                        size="s"
                        kind="quiet"
                        icon={RotateCcw}
                        label={`${t('standingOrders.letters.back')} ${t(`standingOrders.letters.${one.letter}`)}`}
                        onPress={() => back(one.letter)}
                      />
                    )}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {edits && (
        <LetterDialog
          key={edits.letter}
          start={edits}
          language={language}
          onClose={() => setEdits(undefined)}
        />
      )}
    </Card>
  )
}

function LetterDialog({
  start,
  language,
  onClose,
}: {
  start: OrderLetter
  language: Language
  onClose: () => void
}) {
  const t = useWords()
  const [{ subject, text, sms }, setWords] = useState({
    subject: start.subject,
    text: start.text,
    sms: start.sms,
  })
  const put = (change: Partial<{ subject: string; text: string; sms: string }>) =>
    setWords({ subject, text, sms, ...change })
  return (
    <FormDialog
      title={t(`standingOrders.letters.${start.letter}`)}
      verb={t('kit.forms.save')}
      names={['words.subject', 'words.text', 'words.sms']}
      onClose={onClose}
      onSubmit={async () => {
        const answer = await call(keepOrderWords, {
          letter: start.letter,
          language,
          words: { subject, text, sms },
        })
        putAnswer(listOrderWords, { language }, answer)
        onClose()
      }}
    >
      {(error) => (
        <div className="so-form">
          <p className="so-small">
            {t('standingOrders.letters.gaps')}{' '}
            <bdi dir="ltr" className="num">
              {start.gaps.map((name) => `{${name}}`).join(' ')}
            </bdi>
          </p>
          <TextField
            label={t('standingOrders.letters.subject')}
            value={subject}
            onChange={(value) => put({ subject: value })}
            max={200}
            {...error('words.subject', subject)}
          />
          <LongText
            label={t('standingOrders.letters.text')}
            value={text}
            onChange={(value) => put({ text: value })}
            max={4000}
            {...error('words.text', text)}
          />
          {start.sms !== '' && (
            <LongText
              label={t('standingOrders.letters.sms')}
              value={sms}
              onChange={(value) => put({ sms: value })}
              max={300}
              {...error('words.sms', sms)}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}
