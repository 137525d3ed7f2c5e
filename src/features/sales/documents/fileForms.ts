import type { DocumentAnswer } from './endpoints.ts'

/** Another form in which a document can be had as a file, offered beside its PDF. */
export interface FileForm {
  key: string
  /** Word key. */
  word: string
  offered: (document: DocumentAnswer) => boolean
  open: (document: DocumentAnswer) => void
}

const forms: FileForm[] = []

/**
 * For features that know more forms than the PDF: called in their web/screens.ts, so it is here, where it does not
 * pull in a screen.
 */
export const registerFileForm = (form: FileForm): void => void forms.push(form)

export const fileFormsOf = (document: DocumentAnswer): readonly FileForm[] =>
  forms.filter((form) => form.offered(document))
