/** A file that a request brought, whole and in a place of its own until the request is over. */
export class UploadedFile {
  constructor(
    /** Where its bytes are: in the data folder, and on disk. */
    readonly path: string,
    /** As its sender called it: anything at all. */
    readonly name: string,
    /** In bytes. */
    readonly size: number,
    /** What its sender says it is, such as `image/png`. */
    readonly declaredType: string,
  ) {}
}
