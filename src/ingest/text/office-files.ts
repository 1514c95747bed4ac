import { strFromU8, unzipSync } from "fflate";
import { mailLimits } from "../pipeline/limits.ts";
import { decodeXml } from "./xml-text.ts";

/** The unpacked files of an office document. */
export interface OfficeFiles {
  /** Returns the text of a file. Undefined if it is absent or too large. */
  read(name: string): string | undefined;
  /** The names of the files that were too large. */
  readonly leftOut: readonly string[];
  /** The names in the order of the archive. */
  readonly names: readonly string[];
}

/**
 * Unpacks the wanted files of an archive. All share one limit, so that a small archive cannot fill the memory.
 * @throws if it is not an archive
 */
export function unpacked(content: Uint8Array, isWanted: (name: string) => boolean): OfficeFiles {
  let left: number = mailLimits.unzippedBytes;
  const leftOut: string[] = [];
  const taken = new Set<string>();
  const files = unzipSync(content, {
    // A small archive may unpack to gigabytes, so only files with a small size in the directory are unpacked.
    filter: ({ name, originalSize }) => {
      // Each file is taken once, because a directory may list the same file 65 000 times.
      if (!isWanted(name) || taken.has(name) || taken.size >= mailLimits.officeFiles) return false;
      taken.add(name);
      if (originalSize > left) {
        leftOut.push(name);
        return false;
      }
      left -= originalSize;
      return true;
    },
  });
  return {
    read: (name) => {
      const file = files[name];
      return file === undefined ? undefined : strFromU8(file);
    },
    leftOut,
    names: Object.keys(files),
  };
}

/** One tag or one piece of text of an XML file. */
export interface XmlToken {
  /** The element's name with its prefix. Empty for text. */
  name: string;
  isEnd: boolean;
  /** True if the tag is the whole element. */
  isEmpty: boolean;
  attributes: string;
  text: string;
}

const token = /<([^<>]*)>|([^<]+)/g;
const mostName = 100;
const mostAttributes = 2_000;

/** Splits XML into tags and text. The time is proportional to its length. */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  for (const [, tag, text] of xml.matchAll(token)) {
    if (tag === undefined) {
      const given = decodeXml(text ?? "");
      yield { name: "", isEnd: false, isEmpty: false, attributes: "", text: given };
      continue;
    }
    const [, slash, name] = /^(\/?)([A-Za-z][\w:.-]*)/.exec(tag.slice(0, mostName)) ?? [];
    if (name === undefined) continue;
    const attributes = tag.slice(name.length, mostAttributes).replace(/\s/g, " ");
    yield { name, isEnd: slash === "/", isEmpty: tag.endsWith("/"), attributes, text: "" };
  }
}

/** Returns an attribute of a tag. */
export function xmlAttribute({ attributes }: XmlToken, name: string): string | undefined {
  const at = attributes.indexOf(` ${name}="`);
  if (at === -1) return undefined;
  const start = at + name.length + 3;
  const end = attributes.indexOf('"', start);
  return end === -1 ? undefined : decodeXml(attributes.slice(start, end));
}

/** Returns whether a boolean attribute is true. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:0|false|off|none)$/i.test(value);
}

/**
 * Creates a text that stops at the limit of a stored text, because a small file may repeat one long text many times.
 */
export function boundedText() {
  const written: string[] = [];
  let left: number = mailLimits.textBytes;
  return {
    get isFull() {
      return left <= 0;
    },
    add: (text: string) => {
      if (left <= 0) return;
      written.push(text.slice(0, left));
      left -= text.length;
    },
    toString: () => (left > 0 ? written.join("") : `${written.join("")}\n\n[Cut here.]`),
  };
}
