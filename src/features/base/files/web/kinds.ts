import { FileArchive, FileSpreadsheet, FileText, Image, Mail, type LucideIcon } from 'lucide-react'

export const isPicture = (mime: string): boolean => mime.startsWith('image/')
export const isPdf = (mime: string): boolean => mime === 'application/pdf'
/** Read as text in the preview. */
export const isText = (mime: string): boolean => mime.startsWith('text/') || mime === 'application/xml'
/** Whether there is anything to look at without another program. */
export const isShown = (mime: string): boolean => isPicture(mime) || isPdf(mime) || isText(mime)

export const iconOf = (mime: string): LucideIcon =>
  isPicture(mime)
    ? Image
    : mime.includes('sheet') || mime === 'text/csv'
      ? FileSpreadsheet
      : mime.includes('zip')
        ? FileArchive
        : mime === 'message/rfc822'
          ? Mail
          : FileText

/** What the chooser offers; the server looks at the bytes and decides. */
export const accepted =
  '.jpg,.jpeg,.png,.webp,.gif,.pdf,.xml,.csv,.txt,.xlsx,.docx,.zip,.eml,image/jpeg,image/png,image/webp,image/gif,application/pdf'
