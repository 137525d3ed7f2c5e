/*
 * Form 856, the yearly return of tax withheld. The content of a payee's line is known; its position in the file is
 * not: the layout was not available from open sources. Until it is, the return is provided as a table.
 */

/**
 * Turns the file on. The person who gets the official layout writes it down as a table beside this, as System 1000
 * has it.
 */
export const isLayoutKnown: boolean = false

/** `A856.<withholding file without its leading 9>.<last three digits of the year>` */
export const fileName856 = (withholdingFile: string, year: number): string =>
  `A856.${withholdingFile.replace(/^9/, '')}.${String(year % 1000).padStart(3, '0')}`
