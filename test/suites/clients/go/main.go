// Lists plants with the client of oapi-codegen, and prints list pages or a failure as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"

	"example.com/list-plants/plantstore"
)

type failure struct {
	Status  int    `json:"status"`
	Error   int32  `json:"error,omitempty"`
	Message string `json:"message"`
}

var next = regexp.MustCompile(`<([^>]*)>; rel="next"`)

func main() {
	withToken := plantstore.WithRequestEditorFn(authorize)
	client, err := plantstore.NewClientWithResponses(os.Getenv("BASE_URL"), withToken)
	check(err)
	parameters := plantstore.ListPlantsParams{}
	if len(os.Args) > 1 {
		limit, err := strconv.ParseInt(os.Args[1], 10, 32)
		check(err)
		value := int32(limit)
		parameters.Limit = &value
	}
	pages := [][]plantstore.Plant{}
	for {
		response, err := client.ListPlantsWithResponse(context.Background(), &parameters)
		check(err)
		if response.JSON200 == nil {
			printJSON(failureIn(response))
			return
		}
		pages = append(pages, *response.JSON200)
		if response.Headers200.Link == nil {
			printJSON(map[string]any{"pages": pages})
			return
		}
		target, err := url.Parse(next.FindStringSubmatch(*response.Headers200.Link)[1])
		check(err)
		cursor := target.Query().Get("cursor")
		parameters.Cursor = &cursor
	}
}

func authorize(_ context.Context, request *http.Request) error {
	if token := os.Getenv("TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

func failureIn(response *plantstore.ListPlantsResponse) failure {
	status := response.StatusCode()
	switch {
	case response.JSON400 != nil:
		return failure{status, response.JSON400.Error, response.JSON400.Message}
	case response.JSON401 != nil:
		// Also reads a GatewayError: its missing `error` becomes 0, which the output omits.
		body, err := response.JSON401.AsError()
		check(err)
		return failure{status, body.Error, body.Message}
	case response.JSON403 != nil:
		return failure{status, 0, response.JSON403.Message}
	case response.JSON404 != nil:
		return failure{status, 0, response.JSON404.Message}
	}
	return failure{status, 0, "not described"}
}

func printJSON(value any) {
	text, err := json.Marshal(value)
	check(err)
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
