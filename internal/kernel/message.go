package kernel

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/go-zeromq/zmq4"
)

// protocol is the version of Jupyter's messages.
const protocol = "5.3"

// header is the header of a message.
type header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// message is a message of Jupyter's.
type message struct {
	identities [][]byte
	header     header
	raw        json.RawMessage // the header as it came: replies repeat it
	content    json.RawMessage
}

// delimiter stands between the identities of a message and its signature.
const delimiter = "<IDS|MSG>"

// partsOf is the number of parts that a signature covers: header, parent, metadata and
// content.
const partsOf = 4

var (
	errForm      = errors.New("a message without a header")
	errSignature = errors.New("a message with a wrong signature")
)

// signer signs messages with the key of the connection; without a key it does not.
type signer struct {
	key     []byte
	session string
}

func (s *signer) sign(parts [][]byte) []byte {
	if len(s.key) == 0 {
		return nil
	}
	mac := hmac.New(sha256.New, s.key)
	for _, p := range parts {
		mac.Write(p)
	}
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

// parse reads the frames of a message and tests its signature.
func (s *signer) parse(frames [][]byte) (*message, error) {
	at := slices.IndexFunc(frames, func(f []byte) bool { return string(f) == delimiter })
	if at < 0 || len(frames) < at+2+partsOf {
		return nil, errForm
	}
	parts := frames[at+2 : at+2+partsOf]
	if !hmac.Equal(frames[at+1], s.sign(parts)) {
		return nil, errSignature
	}
	m := &message{identities: frames[:at], raw: parts[0], content: parts[3]}
	return m, json.Unmarshal(parts[0], &m.header)
}

// frames returns the frames of a new message that answers another.
func (s *signer) frames(identities [][]byte, kind string, parent *message, content any) (zmq4.Msg, error) {
	h := header{ID: unique(), Session: s.session, Username: "tailor", Date: time.Now().UTC().Format(time.RFC3339Nano), Type: kind, Version: protocol}
	head, err := json.Marshal(h)
	if err != nil {
		return zmq4.Msg{}, err
	}
	body, err := json.Marshal(content)
	if err != nil {
		return zmq4.Msg{}, err
	}
	about := []byte("{}")
	if parent != nil {
		about = parent.raw
	}
	parts := [][]byte{head, about, []byte("{}"), body}
	frames := append(slices.Clone(identities), []byte(delimiter), s.sign(parts))
	return zmq4.NewMsgFrom(append(frames, parts...)...), nil
}

// unique returns a name that no other message has.
func unique() string { return rand.Text() }
